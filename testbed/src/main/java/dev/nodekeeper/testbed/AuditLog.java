package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Who asked the API server what, exactly.
 *
 * <p>The server writes a line when a request arrives, before it serves it ({@code
 * blocking-strict}), so a client that has its answer is in the file already: nothing has to be
 * flushed. Code and object name come with a second line, which can be a moment later than the
 * answer; reading waits for it. The lines of one request share an id and count as one. A watch
 * counts from its start on.
 */
public final class AuditLog {

  private static final String RECEIVED = "RequestReceived";
  private static final Duration SECOND_LINE = Duration.ofSeconds(5);

  private final Path file;
  private final Supplier<Instant> servingSince;
  private final Mark from;

  private AuditLog(Path file, Supplier<Instant> servingSince, Mark from) {
    this.file = file;
    this.servingSince = servingSince;
    this.from = from;
  }

  static AuditLog of(Path file, Supplier<Instant> servingSince) {
    return new AuditLog(file, servingSince, new Mark(0));
  }

  /** A point in the log. */
  public record Mark(long offset) {}

  /** One request, whatever its number of log lines; code 0 while it is not answered. */
  public record Request(
      String id,
      String user,
      String verb,
      String resource,
      String subresource,
      String namespace,
      String name,
      int code,
      String stage,
      Instant time,
      String uri) {

    boolean unanswered() {
      return stage.equals(RECEIVED);
    }

    /** Verb and resource as RBAC names them, such as {@code patch nodes/status}. */
    public String what() {
      return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource);
    }
  }

  /** Now: every request that has arrived is before it, every later one after it. */
  public Mark mark() {
    try {
      return new Mark(Files.exists(file) ? Files.size(file) : 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same log without the requests that arrived before the mark, even if answered later. */
  public AuditLog since(Mark mark) {
    return new AuditLog(file, servingSince, mark);
  }

  /** The user's requests in order of arrival. */
  public List<Request> requests(String user) {
    return settled(request -> request.user().equals(user));
  }

  /** Everybody's requests in order of arrival. */
  public List<Request> requests() {
    return settled(_ -> true);
  }

  public long count(String user) {
    return requests(user).size();
  }

  public long count(String user, Predicate<Request> which) {
    return requests(user).stream().filter(which).count();
  }

  /** How often the user did what, such as {@code patch nodes -> 3}. */
  public Map<String, Long> tally(String user) {
    return requests(user).stream()
        .collect(Collectors.groupingBy(Request::what, TreeMap::new, Collectors.counting()));
  }

  private List<Request> settled(Predicate<Request> wanted) {
    var deadline = System.nanoTime() + SECOND_LINE.toNanos();
    while (true) {
      var requests = read().stream().filter(wanted).toList();
      if (requests.stream().noneMatch(this::answerIsDue) || System.nanoTime() > deadline) {
        return requests;
      }
      Wait.pause(Duration.ofMillis(20));
    }
  }

  /** What a killed server had not answered stays unanswered. */
  private boolean answerIsDue(Request request) {
    return request.unanswered() && request.time().isAfter(servingSince.get());
  }

  private List<Request> read() {
    var byId = new LinkedHashMap<String, Request>();
    if (!Files.exists(file)) {
      return List.of();
    }
    try (var channel = FileChannel.open(file).position(from.offset());
        var lines =
            new BufferedReader(
                new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))) {
      // Half a line, at the mark or at the end, is one that is just being written.
      lines
          .lines()
          .map(Json::parseOrText)
          .filter(JsonNode::isObject)
          .map(AuditLog::parse)
          .filter(request -> request.unanswered() || byId.containsKey(request.id()))
          .forEach(request -> byId.put(request.id(), request));
      return List.copyOf(byId.values());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Request parse(JsonNode event) {
    var object = event.path("objectRef");
    return new Request(
        event.path("auditID").asText(),
        event.path("user").path("username").asText(),
        event.path("verb").asText(),
        object.path("resource").asText(),
        object.path("subresource").asText(),
        object.path("namespace").asText(),
        object.path("name").asText(),
        event.path("responseStatus").path("code").asInt(),
        event.path("stage").asText(),
        Instant.parse(event.path("requestReceivedTimestamp").asText()),
        event.path("requestURI").asText());
  }
}
