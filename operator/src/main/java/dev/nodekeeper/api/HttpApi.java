package dev.nodekeeper.api;

import dev.nodekeeper.config.Settings.ClusterSettings;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real API server over the JDK's HTTP client, with credentials that stay fresh. */
public final class HttpApi implements Api {
  private static final Logger LOG = LoggerFactory.getLogger(HttpApi.class);
  private static final Duration TOKEN_AGE = Duration.ofMinutes(1);

  /** Between two attempts to log in again, so that a 401 storm does not become an exec storm. */
  private static final Duration RELOAD_PAUSE = Duration.ofSeconds(5);

  private static final Duration WATCH_OPENS = Duration.ofSeconds(30);

  private final Access access;
  private final Executor threads;
  private final AtomicBoolean reloading = new AtomicBoolean();
  private final ServerClock clock = new ServerClock(System::nanoTime);
  private final Taps taps = new Taps();
  private volatile Session session;
  private volatile long triedNanos;

  private HttpApi(Access access, Executor threads, Session session) {
    this.access = access;
    this.threads = threads;
    this.session = session;
    this.triedNanos = session.loadedNanos();
  }

  /** Reads credentials but sends nothing: the server need not be there yet. */
  public static HttpApi connect(ClusterSettings cluster) throws NoClusterException {
    return connect(cluster, Executors.newVirtualThreadPerTaskExecutor());
  }

  /**
   * @param threads the HTTP client's own; platform threads where nothing may starve it
   */
  public static HttpApi connect(ClusterSettings cluster, Executor threads)
      throws NoClusterException {
    Access access = new Access(cluster);
    return new HttpApi(access, threads, Session.open(access.load(), threads));
  }

  @Override
  public URI server() {
    return session.server();
  }

  /** The server's time, since the epoch; 0 as long as it has not answered. */
  public long serverMillis() {
    return clock.millis();
  }

  @Override
  public Reply send(Call call) throws UnreachableException {
    Session current = fresh();
    HttpRequest.Builder request =
        request(current, call.path(), call.accept()).timeout(call.timeout());
    if (call.body().isEmpty()) {
      request.method(call.method(), BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", call.contentType())
          .method(call.method(), BodyPublishers.ofString(call.body()));
    }
    HttpResponse<byte[]> response =
        await(
            current,
            current.client().sendAsync(request.build(), BodyHandlers.ofByteArray()),
            call.timeout());
    return reply(current, response.statusCode(), response.headers(), response.body());
  }

  @Override
  public Lines watch(String path, String accept) throws UnreachableException, RefusedException {
    Session current = fresh();
    Call call = Call.get(path).accepting(accept).within(WATCH_OPENS);
    InputStream body =
        direct(current)
            ? open(current, call, taps.fresh(current.client()))
            : begun(current, call, begin(current, call)).body();
    return new StreamLines(body, current.server(), System::nanoTime);
  }

  /** Without TLS (kubectl proxy) nobody can end a read that waits on a connection of its own. */
  private static boolean direct(Session current) {
    return "https".equals(current.server().getScheme());
  }

  private DirectBody open(Session current, Call call, Tap tap)
      throws UnreachableException, RefusedException {
    HttpRequest request = request(current, call.path(), call.accept()).build();
    DirectBody body;
    try {
      body = DirectBody.open(tap, request, call.timeout());
    } catch (IOException e) {
      throw unreachable(current, e);
    }
    if (body.status() == 200) {
      return body;
    }
    throw refused(current, call, body.status(), body.headers(), body);
  }

  @Override
  public Asked ask(Call call) {
    Session current = fresh();
    if (direct(current)) {
      Tap tap = taps.rested(current.client());
      return new DirectAsked(
          current.server(),
          call.timeout(),
          tap,
          () -> heard(open(current, call, tap)),
          threads,
          taps::rest);
    }
    CompletableFuture<HttpResponse<InputStream>> future = begin(current, call);
    return new Asked() {
      @Override
      public <T> T read(BodyReader<T> reader) throws IOException {
        long began = System.nanoTime();
        HttpResponse<InputStream> response = begun(current, call, future);
        hear(response.headers());
        Duration left = call.timeout().minusNanos(System.nanoTime() - began);
        try (var body = new TimedBody(response.body(), response.body(), current.server(), left)) {
          return reader.read(body);
        }
      }

      @Override
      public void close() {
        future.thenAccept(response -> StreamLines.end(response.body()));
        future.cancel(true);
      }
    };
  }

  private DirectBody heard(DirectBody answer) {
    hear(answer.headers());
    return answer;
  }

  private static CompletableFuture<HttpResponse<InputStream>> begin(Session current, Call call) {
    return current
        .client()
        .sendAsync(
            request(current, call.path(), call.accept()).GET().build(),
            BodyHandlers.ofInputStream());
  }

  /** When it begins to be answered; its time-out ends there. */
  private HttpResponse<InputStream> begun(
      Session current, Call call, CompletableFuture<HttpResponse<InputStream>> future)
      throws UnreachableException, RefusedException {
    HttpResponse<InputStream> response = await(current, future, call.timeout());
    if (response.statusCode() == 200) {
      return response;
    }
    throw refused(current, call, response.statusCode(), response.headers(), response.body());
  }

  private RefusedException refused(
      Session current, Call call, int status, HttpHeaders headers, InputStream answer)
      throws UnreachableException {
    try (answer) {
      byte[] body = answer.readNBytes(65_536);
      return new RefusedException("GET " + call.path(), reply(current, status, headers, body));
    } catch (IOException e) {
      throw new UnreachableException(current.server(), text(e), e);
    }
  }

  private static HttpRequest.Builder request(Session session, String path, String accept) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(session.server() + path))
            .header("Accept", accept)
            .header("User-Agent", Build.USER_AGENT);
    if (session.authorization() != null) {
      request.header("Authorization", session.authorization());
    }
    return request;
  }

  /** NB: the JDK's own time-out ends with the headers; this one covers the body too. */
  private <T> HttpResponse<T> await(
      Session current, CompletableFuture<HttpResponse<T>> future, Duration timeout)
      throws UnreachableException {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new UnreachableException(
          current.server(), "nothing within " + timeout.toMillis() / 1e3 + " s", e);
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new UnreachableException(current.server(), "interrupted", e);
    } catch (ExecutionException e) {
      throw unreachable(current, e.getCause() == null ? e : e.getCause());
    }
  }

  private UnreachableException unreachable(Session current, Throwable cause) {
    if (cause instanceof SSLException) {
      reload(current, "the TLS handshake failed");
    }
    return new UnreachableException(current.server(), text(cause), cause);
  }

  private Reply reply(Session current, int status, HttpHeaders headers, byte[] body) {
    if (status == 401) {
      reload(current, "the server said 401");
    }
    hear(headers);
    return new Reply(status, body, RetryAfter.of(headers));
  }

  private void hear(HttpHeaders headers) {
    headers.firstValue("Date").ifPresent(clock::hear);
  }

  private Session fresh() {
    Session current = session;
    boolean old = System.nanoTime() - current.loadedNanos() > TOKEN_AGE.toNanos();
    if (old && current.authorization() != null) {
      reload(current, "");
    }
    return current;
  }

  /** In the background: an exec plugin may take its time, and no request should wait for it. */
  private void reload(Session seen, String because) {
    boolean soon = System.nanoTime() - triedNanos < RELOAD_PAUSE.toNanos();
    if (session.loadedNanos() != seen.loadedNanos()
        || soon
        || !reloading.compareAndSet(false, true)) {
      return;
    }
    triedNanos = System.nanoTime();
    Thread.ofVirtual()
        .name("credentials")
        .start(
            () -> {
              try {
                Config config = access.load();
                session = because.isEmpty() ? seen.renewed(config) : Session.open(config, threads);
                if (!because.isEmpty()) {
                  LOG.info("Read the credentials for {} again because {}", seen.server(), because);
                  seen.client().shutdown();
                }
              } catch (NoClusterException | RuntimeException e) {
                LOG.warn("Cannot read the credentials again, keeping the old: {}", text(e));
              } finally {
                reloading.set(false);
              }
            });
  }

  /** The JDK leaves the message of a refused connection empty. */
  private static String text(Throwable e) {
    String message = e.getMessage();
    if (message != null && !message.isBlank()) {
      return message;
    }
    return e instanceof ConnectException ? "cannot connect" : e.getClass().getSimpleName();
  }

  @Override
  public void close() {
    taps.close();
    session.client().shutdownNow();
  }
}
