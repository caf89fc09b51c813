package dev.nodekeeper.testbed.binaries;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM on this test's class path, for what only two processes can show. */
public final class OtherJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  public OtherJvm(Class<?> main, String... arguments) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        new ArrayList<>(
            List.of(java, "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader();
  }

  public String nextLine() throws IOException {
    return String.valueOf(output.readLine());
  }

  public void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /** kill -9. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  public int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
