package dev.nodekeeper.testbed.binaries;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Our folder of finished programs: whole files only, filled by one run at a time. */
final class Cache {

  /** File locks belong to the whole JVM, so threads of one JVM queue here first. */
  private static final ReentrantLock THIS_JVM = new ReentrantLock();

  private static final String SCRATCH = ".fetch-";

  private final Path folder;

  Cache(Path folder) {
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  Optional<Path> find(Tool tool) {
    return Optional.of(folder.resolve(tool.fileName())).filter(Files::isExecutable);
  }

  /** Work done while no other run fills the cache; gets a scratch folder that is removed after. */
  interface Filling {
    void run(Path scratch) throws IOException, InterruptedException;
  }

  void fill(Consumer<String> progress, Filling filling) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    THIS_JVM.lockInterruptibly();
    try (var channel = open();
        var _ = lock(channel, progress)) {
      removeScratch();
      var scratch = Files.createTempDirectory(folder, SCRATCH);
      try {
        filling.run(scratch);
      } finally {
        removeScratch();
      }
    } finally {
      THIS_JVM.unlock();
    }
  }

  /** Takes over the programs that lie ready in {@code from}. */
  void adopt(Path from) throws IOException {
    for (var tool : Tool.values()) {
      var file = from.resolve(tool.fileName());
      if (Files.isRegularFile(file) && file.toFile().setExecutable(true, false)) {
        Files.move(file, folder.resolve(tool.fileName()), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(
        folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static FileLock lock(FileChannel channel, Consumer<String> progress) throws IOException {
    var lock = channel.tryLock();
    if (lock != null) {
      return lock;
    }
    progress.accept("another run is fetching control-plane programs, waiting for it ...");
    return channel.lock();
  }

  /** Under the lock nobody else has a scratch folder, so any found is a dead run's. */
  private void removeScratch() throws IOException {
    try (var entries = Files.list(folder)) {
      for (var entry :
          entries.filter(p -> p.getFileName().toString().startsWith(SCRATCH)).toList()) {
        try (var below = Files.walk(entry)) {
          for (var path : below.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(path);
          }
        }
      }
    }
  }
}
