package dev.nodekeeper.share;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Failure;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A task as the one request that it is, and the reply as its answer.
 *
 * @param clock for the times that people read in a lease; must never stand still, because a renewal
 *     that changes nothing is none
 */
record LeaseCalls(
    Api api, Layout layout, LeaseDocument documents, InstantSource clock, LongSupplier nanos) {
  /** Never throws: whatever goes wrong is an answer too, or its lease would wait for ever. */
  Answer perform(Task task, Duration timeout) {
    long sent = nanos.getAsLong();
    try {
      return answer(task, api.send(call(task).within(timeout)), sent);
    } catch (UnreachableException e) {
      return new Answer.Failed(task, String.valueOf(e.getMessage()), Duration.ZERO);
    } catch (IOException e) {
      return new Answer.Failed(task, "unreadable reply: " + e.getMessage(), Duration.ZERO);
    } catch (Throwable e) {
      return new Answer.Failed(task, e.toString(), Duration.ZERO);
    }
  }

  private Call call(Task task) {
    String path = layout.path() + "/" + task.name();
    return switch (task) {
      case Task.Survey survey -> Call.get(layout.path() + "?labelSelector=" + selector());
      case Task.Look look -> Call.get(path);
      case Task.Claim claim when claim.seen().isEmpty() -> Call.post(layout.path(), body(claim));
      case Task.Claim claim -> Call.put(path, body(claim));
      case Task.Release release ->
          Call.put(path, documents.released(release.seen(), clock.instant()));
      case Task.Remove remove -> Call.delete(path, remove.seen().uid(), remove.seen().rv());
    };
  }

  private String body(Task.Claim claim) {
    return documents.claimed(claim.name(), claim.seen(), clock.instant());
  }

  private String selector() {
    return URLEncoder.encode(Layout.LABEL + "=" + layout.prefix(), StandardCharsets.UTF_8);
  }

  private static Answer answer(Task task, Reply reply, long sent) throws IOException {
    if (reply.ok()) {
      return switch (task) {
        case Task.Survey survey ->
            new Answer.Surveyed(task, LeaseDocument.list(reply.body()), sent);
        case Task.Look look -> new Answer.Found(task, LeaseDocument.read(reply.body()));
        case Task.Remove remove -> new Answer.Missing(task);
        case Task.Claim claim -> new Answer.Written(task, LeaseDocument.read(reply.body()), sent);
        case Task.Release release ->
            new Answer.Written(task, LeaseDocument.read(reply.body()), sent);
      };
    }
    Failure failure = reply.failure();
    String why = "%s leases: %s".formatted(task.verb(), failure.text());
    return switch (reply.status()) {
      case 404 -> absent(task, failure, why);
      case 409 -> new Answer.Conflict(task);
      case 403 ->
          failure.namespaceLeaves()
              ? new Answer.Homeless(task, why)
              : new Answer.Refused(task, why);
      default -> new Answer.Failed(task, why, reply.retryAfter());
    };
  }

  /** NB: the server says what it did not find only in the details; without, it is the API. */
  private static Answer absent(Task task, Failure failure, String why) {
    return switch (failure.kind()) {
      case "leases" -> new Answer.Missing(task);
      case "namespaces" -> new Answer.Homeless(task, why);
      default -> new Answer.Refused(task, why);
    };
  }
}
