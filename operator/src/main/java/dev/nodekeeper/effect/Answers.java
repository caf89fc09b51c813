package dev.nodekeeper.effect;

import com.fasterxml.jackson.core.JsonParser;
import dev.nodekeeper.api.Failure;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.read.RecordReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A reply as the input that answers its request. */
record Answers(NodeReader nodes) {
  private static final String JSON_PATCH = "application/json-patch+json";

  Input of(Effect.Request request, Reply reply) {
    try {
      return switch (request) {
        case Effect.ReadNode read when reply.ok() ->
            new Input.NodeRead(read, Optional.of(nodes.read(reply.body())));
        case Effect.ReadNode read when reply.status() == 404 ->
            new Input.NodeRead(read, Optional.empty());
        case Effect.ReadRecord read when reply.ok() ->
            new Input.RecordRead(read, Optional.of(RecordReader.read(reply.body())));
        case Effect.ReadRecord read when reply.status() == 404 ->
            new Input.RecordRead(read, Optional.empty());
        default -> new Input.Done(request, outcome(request, reply));
      };
    } catch (IOException e) {
      // It happened, but we do not know what: the Keeper looks again.
      return new Input.Done(request, new Outcome.Unknown("unreadable reply: " + e.getMessage(), 0));
    }
  }

  private static Outcome outcome(Effect.Request request, Reply reply) throws IOException {
    if (reply.ok()) {
      return new Outcome.Ok(origin(request, reply.body()));
    }
    Failure failure = reply.failure();
    return switch (reply.status()) {
      case 404 ->
          request instanceof Effect.CreateRecord
              ? new Outcome.Unknown(failure.text(), 0)
              : new Outcome.Gone();
      case 409 -> new Outcome.Conflict(failure.text());
      case 422 ->
          precondition(request, failure)
              ? new Outcome.Conflict(failure.text())
              : new Outcome.Refused(422, failure.text());
      case 401, 408, 429 -> unknown(reply, failure);
      default ->
          (reply.status() >= 400 && reply.status() < 500 && !failure.namespaceLeaves())
                  || failure.tooLarge()
              ? new Outcome.Refused(reply.status(), failure.text())
              : unknown(reply, failure);
    };
  }

  private static Outcome unknown(Reply reply, Failure failure) {
    return new Outcome.Unknown(failure.text(), reply.retryAfter().toMillis());
  }

  /**
   * NB: a failed test of a JSON patch is a 422 that blames no field at all, and a merge patch with
   * another uid one that blames metadata.uid (seen on 1.36.3).
   */
  private static boolean precondition(Effect.Request request, Failure failure) {
    if (!(request instanceof Effect.PatchNode patch)) {
      return false;
    }
    List<String> fields = failure.fields();
    return fields.contains("metadata.uid")
        || (fields.isEmpty() && patch.contentType().equals(JSON_PATCH));
  }

  static boolean namespaceMissing(Effect.Request request, Reply reply) {
    return request instanceof Effect.CreateRecord
        && !reply.ok()
        && (reply.status() == 404 || reply.failure().namespaceLeaves());
  }

  private static Origin origin(Effect.Request request, byte[] body) throws IOException {
    return switch (request) {
      case Effect.CreateRecord create -> RecordReader.origin(body);
      case Effect.UpdateRecord update -> RecordReader.origin(body);
      case Effect.PatchNode patch -> metadata(body);
      case Effect.DeleteRecord delete -> Origin.NONE;
      case Effect.ReadNode read -> Origin.NONE;
      case Effect.ReadRecord read -> Origin.NONE;
    };
  }

  private static Origin metadata(byte[] body) throws IOException {
    String[] found = {"", ""};
    try (JsonParser parser = Documents.open(body)) {
      Documents.fields(
          parser,
          (name, value) -> {
            if (name.equals("metadata")) {
              Documents.fields(
                  value,
                  (field, text) -> {
                    switch (field) {
                      case "uid" -> found[0] = Documents.text(text);
                      case "resourceVersion" -> found[1] = Documents.text(text);
                      default -> {}
                    }
                  });
            }
          });
    }
    if (found[0].isEmpty() || !Origin.isRevision(found[1])) {
      throw new IOException("no uid or resourceVersion in it");
    }
    return new Origin(found[0], Long.parseLong(found[1]), "");
  }
}
