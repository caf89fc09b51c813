package dev.nodekeeper.watch;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.pace.Stop;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Answers from a script and writes down what it was asked; stops the reflector at its end. */
final class ScriptedApi implements Api {
  private static final URI SERVER = URI.create("https://scripted");

  private final Deque<Step> steps = new ArrayDeque<>();
  private final Stop stop;
  final List<String> asked = new ArrayList<>();

  private record Step(int status, List<String> lines) {}

  ScriptedApi(Stop stop) {
    this.stop = stop;
  }

  ScriptedApi reply(int status, String body) {
    steps.add(new Step(status, List.of(body)));
    return this;
  }

  /** A watch that sends these lines and then ends; a line "CUT" ends it with an error. */
  ScriptedApi stream(String... lines) {
    steps.add(new Step(200, List.of(lines)));
    return this;
  }

  ScriptedApi unreachable() {
    steps.add(new Step(0, List.of()));
    return this;
  }

  private Step next(String path) throws UnreachableException {
    asked.add(path.replaceAll("&timeoutSeconds=[0-9]+", ""));
    Step step = steps.poll();
    if (steps.isEmpty() && step == null) {
      stop.signal();
    }
    if (step == null || step.status() == 0) {
      throw new UnreachableException(SERVER, "scripted", null);
    }
    return step;
  }

  @Override
  public Reply send(Call call) throws UnreachableException {
    Step step = next(call.path());
    return new Reply(step.status(), bytes(step.lines().getFirst()), Duration.ZERO);
  }

  @Override
  public Lines watch(String path, String accept) throws UnreachableException, RefusedException {
    Step step = next(path);
    if (step.status() != 200) {
      throw new RefusedException(
          path, new Reply(step.status(), bytes(step.lines().getFirst()), Duration.ZERO));
    }
    Queue<String> lines = new ArrayDeque<>(step.lines());
    return new Lines() {
      @Override
      public byte @Nullable [] next() throws UnreachableException {
        String line = lines.poll();
        if ("CUT".equals(line)) {
          throw new UnreachableException(SERVER, "cut", null);
        }
        return line == null ? null : bytes(line);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public URI server() {
    return SERVER;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
