package dev.nodekeeper.testbed;

import dev.nodekeeper.testbed.binaries.Binaries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How a control plane is to run; start from {@link #defaults()} and change what matters. */
public record Options(
    Optional<Path> folder,
    Set<Part> parts,
    Durability durability,
    Lifetime lifetime,
    List<String> apiServerFlags,
    Binaries binaries) {

  /** Whether etcd waits for the disk. */
  public enum Durability {
    NO_FSYNC,
    FSYNC
  }

  /** Whether the processes end with this JVM, however it ends, or outlive it. */
  public enum Lifetime {
    WITH_THIS_JVM,
    DETACHED
  }

  /** etcd and the API server, in a temporary folder, without fsync, ended with this JVM. */
  public static Options defaults() {
    return new Options(
        Optional.empty(),
        EnumSet.of(Part.ETCD, Part.APISERVER),
        Durability.NO_FSYNC,
        Lifetime.WITH_THIS_JVM,
        List.of(),
        Binaries.fromEnvironment(System.err::println));
  }

  /** Keeps everything in this folder, and goes on with what an earlier run left there. */
  public Options in(Path place) {
    return new Options(Optional.of(place), parts, durability, lifetime, apiServerFlags, binaries);
  }

  public Options with(Part part) {
    var more = EnumSet.copyOf(parts);
    more.add(part);
    return new Options(folder, more, durability, lifetime, apiServerFlags, binaries);
  }

  public Options durable() {
    return new Options(folder, parts, Durability.FSYNC, lifetime, apiServerFlags, binaries);
  }

  /** Outlives this JVM; needs a folder, so that a later process finds it again. */
  public Options detached(Path place) {
    return new Options(
        Optional.of(place), parts, durability, Lifetime.DETACHED, apiServerFlags, binaries);
  }

  public Options apiServerFlag(String flag) {
    var more = new ArrayList<>(apiServerFlags);
    more.add(flag);
    return new Options(folder, parts, durability, lifetime, List.copyOf(more), binaries);
  }

  public Options using(Binaries source) {
    return new Options(folder, parts, durability, lifetime, apiServerFlags, source);
  }
}
