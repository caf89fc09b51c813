package dev.nodekeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.config.Listen;
import dev.nodekeeper.core.keep.Survey;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.policy.Rules;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Standing;
import dev.nodekeeper.pace.Stop;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the pages: GET and HEAD only, to this computer only unless told otherwise. */
public final class Console implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Console.class);
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int PAGE = 50;
  private static final int WAIT_SECONDS = 5;
  private static final String HTML = "text/html; charset=utf-8";
  private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Map<String, String> FILES =
      Map.of(
          "/console.css", "text/css; charset=utf-8",
          "/console.js", "text/javascript; charset=utf-8",
          "/icon.svg", "image/svg+xml");
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final HttpServer server;
  private final boolean loopback;
  private final Function<Survey.Query, CompletableFuture<Survey>> fleet;
  private final Api api;
  private final Cluster cluster;
  private final Chronicle chronicle;
  private final Supplier<List<String>> problems;
  private final Pulse pulse = new Pulse();

  /** The Keeper has other things to do: one looks at a time. */
  private final Semaphore turn = new Semaphore(1);

  private Console(
      HttpServer server,
      Function<Survey.Query, CompletableFuture<Survey>> fleet,
      Api api,
      Cluster cluster,
      Chronicle chronicle,
      Supplier<List<String>> problems) {
    this.server = server;
    this.loopback = server.getAddress().getAddress().isLoopbackAddress();
    this.fleet = fleet;
    this.api = api;
    this.cluster = cluster;
    this.chronicle = chronicle;
    this.problems = problems;
  }

  /**
   * Listens from now on.
   *
   * @param fleet asks the Keeper
   * @param problems what /readyz complains about
   */
  public static Console start(
      Listen listen,
      Function<Survey.Query, CompletableFuture<Survey>> fleet,
      Api api,
      Cluster cluster,
      Chronicle chronicle,
      Supplier<List<String>> problems,
      Stop stop)
      throws IOException {
    var address = new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port());
    HttpServer server = HttpServer.create(address, 16);
    Console console = new Console(server, fleet, api, cluster, chronicle, problems);
    server.setExecutor(
        Executors.newFixedThreadPool(
            4, Thread.ofPlatform().daemon().name("console-", 0).factory()));
    server.createContext("/", console::serve);
    server.start();
    Thread.ofVirtual().name("pulse").start(() -> console.sample(stop));
    return console;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void sample(Stop stop) {
    do {
      try {
        Survey survey = look(Survey.Query.NUMBERS);
        pulse.add(new Pulse.Sample(survey.states(), chronicle.restored(), chronicle.captured()));
      } catch (IOException e) {
        LOG.debug("No sample for the console: {}", e.getMessage());
      }
    } while (!stop.await(Duration.ofSeconds(Pulse.SECONDS)));
  }

  private Survey look(Survey.Query query) throws IOException {
    try {
      if (!turn.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("others are looking");
      }
      try {
        return fleet.apply(query).get(WAIT_SECONDS, TimeUnit.SECONDS);
      } finally {
        turn.release();
      }
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException("the Keeper does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  // ---- requests

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      String path = exchange.getRequestURI().getPath();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, message("Nothing can be changed here."));
      } else if (!here(exchange)) {
        // Another site's name that leads to this computer: its page must not read ours.
        send(exchange, 421, message("Ask for localhost."));
      } else if (FILES.containsKey(path)) {
        send(exchange, 200, Objects.requireNonNull(FILES.get(path)), file(path));
      } else if (path.equals("/")) {
        send(exchange, 200, fleet(parameters(exchange)));
      } else if (path.startsWith("/nodes/")) {
        node(exchange, path.substring("/nodes/".length()));
      } else {
        send(exchange, 404, message("There is no such page."));
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("The console could not answer: {}", e.toString());
      throw e;
    }
  }

  private boolean here(HttpExchange exchange) {
    String host = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Host"), "");
    return !loopback || HERE.contains(host.replaceFirst(":[0-9]+$", ""));
  }

  private static Map<String, List<String>> parameters(HttpExchange exchange) {
    Map<String, List<String>> parameters = new HashMap<>();
    String query = Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    for (String part : query.split("&", -1)) {
      int is = part.indexOf('=');
      if (is > 0) {
        parameters
            .computeIfAbsent(part.substring(0, is), _ -> new ArrayList<>())
            .add(URLDecoder.decode(part.substring(is + 1), StandardCharsets.UTF_8));
      }
    }
    return parameters;
  }

  private String fleet(Map<String, List<String>> parameters) {
    Set<State> states = EnumSet.noneOf(State.class);
    for (String id : parameters.getOrDefault("state", List.of())) {
      Arrays.stream(State.values()).filter(state -> state.word().equals(id)).forEach(states::add);
    }
    String before = first(parameters, "before");
    String text = first(parameters, "q").strip();
    Survey.Query query =
        before.isEmpty()
            ? new Survey.Query(text, states, first(parameters, "after"), false, PAGE)
            : new Survey.Query(text, states, before, true, PAGE);
    try {
      return new FleetPage(look(query), query, pulse, chronicle, Instant.now())
          .html(problems.get());
    } catch (IOException e) {
      return message("It cannot be shown now: " + e.getMessage());
    }
  }

  private static String first(Map<String, List<String>> parameters, String name) {
    return parameters.getOrDefault(name, List.of("")).getFirst();
  }

  private void node(HttpExchange exchange, String name) throws IOException {
    if (Rules.nodeName(name) != null) {
      send(exchange, 404, message("No node can be called so."));
      return;
    }
    String page;
    try {
      Optional<JsonNode> node = cluster.node(name);
      Optional<JsonNode> configMap = cluster.configMap(name);
      Optional<Standing> standing = cluster.standing(name, node, configMap);
      if (standing.isEmpty()) {
        send(exchange, 404, message("There is no node " + name + ", and no record of it."));
        return;
      }
      Stored stored = configMap.isPresent() ? cluster.readRecord(configMap.get()) : null;
      Optional<NodeRecord> record =
          stored instanceof NodeRecord readable ? Optional.of(readable) : Optional.empty();
      page =
          new NodePage(
                  standing.get(), node.orElse(MissingNode.getInstance()), record, Instant.now())
              .html(chronicle.of(name), events(name));
    } catch (IOException e) {
      send(exchange, 502, message("The API server did not tell: " + e.getMessage()));
      return;
    }
    send(exchange, 200, page);
  }

  /** Those of everybody about this node; empty when we may not see them. */
  private Optional<List<Chronicle.Entry>> events(String node) throws IOException {
    Reply reply =
        api.send(
            Call.get(
                "/api/v1/namespaces/default/events?limit=100&fieldSelector="
                    + "involvedObject.kind%3DNode%2CinvolvedObject.name%3D"
                    + node));
    if (!reply.ok()) {
      return Optional.empty();
    }
    List<Chronicle.Entry> entries = new ArrayList<>();
    for (JsonNode event : MAPPER.readTree(reply.body()).path("items")) {
      String time =
          event
              .path("lastTimestamp")
              .asText(event.path("metadata").path("creationTimestamp").asText());
      String source = event.path("source").path("component").asText("");
      entries.add(
          new Chronicle.Entry(
              Instant.parse(time).toEpochMilli(),
              node,
              event.path("reason").asText(),
              "event%s: %s"
                  .formatted(
                      source.isEmpty() ? "" : " of " + source, event.path("message").asText())));
    }
    return Optional.of(entries);
  }

  private static String message(String text) {
    Html html = Frame.open("Nodekeeper", "");
    return Frame.close(html.raw("<h1>Nodekeeper</h1><p>").text(text).raw("</p>"));
  }

  private static byte[] file(String path) throws IOException {
    try (InputStream in = Console.class.getResourceAsStream(path.substring(1))) {
      return Objects.requireNonNull(in, path).readAllBytes();
    }
  }

  private static void send(HttpExchange exchange, int status, String html) throws IOException {
    send(exchange, status, HTML, html.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    HEADERS.forEach(exchange.getResponseHeaders()::set);
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
