package dev.nodekeeper;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers each call by a function that the test can change, and writes down what was asked. */
public final class FakeApi implements Api {
  private static final URI SERVER = URI.create("https://fake:6443");

  public final List<Call> calls = new CopyOnWriteArrayList<>();
  public volatile Server server = call -> reply(500, "{}");

  /** What stands in for the API server. */
  @FunctionalInterface
  public interface Server {
    Reply answer(Call call) throws UnreachableException;
  }

  public static Reply reply(int status, String body) {
    return new Reply(status, body.getBytes(StandardCharsets.UTF_8), Duration.ZERO);
  }

  public static UnreachableException unreachable() {
    return new UnreachableException(SERVER, "cannot connect", null);
  }

  @Override
  public Reply send(Call call) throws UnreachableException {
    calls.add(call);
    return server.answer(call);
  }

  @Override
  public Lines watch(String path, String accept) {
    throw new AssertionError("nothing is watched here");
  }

  @Override
  public URI server() {
    return SERVER;
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
