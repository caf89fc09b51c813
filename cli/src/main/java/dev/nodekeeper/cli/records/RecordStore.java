package dev.nodekeeper.cli.records;

import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.RecordReader;
import dev.nodekeeper.store.ConfigMapBody;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Records in the cluster, changed as a person changes them: only {@code record.json} is written
 * anew, so that the controller makes it a version of its own, with a nonce of its own.
 */
public final class RecordStore {
  private final HttpApi api;
  private final String namespace;
  private final String path;

  public RecordStore(HttpApi api, String namespace) {
    this.api = api;
    this.namespace = namespace;
    this.path = "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  /** What it was stored as; empty when somebody else was faster. */
  public Optional<Origin> create(NodeRecord record) throws IOException {
    Call call = Call.post(path, ConfigMapBody.created(namespace, record.node(), text(record)));
    Reply reply = api.send(call);
    if (reply.status() == 409) {
      return Optional.empty();
    }
    return Optional.of(RecordReader.origin(expect(call, reply).body()));
  }

  /** Gives the record this content; false when it is another by now. */
  public boolean replace(NodeRecord old, NodeRecord content) throws IOException {
    NodeRecord next =
        new NodeRecord(
            old.node(),
            old.origin(),
            content.content(),
            old.current(),
            old.versions(),
            old.words(),
            old.withheld(),
            old.identity(),
            content.capturedAt(),
            old.notes(),
            content.foreignRecord(),
            old.foreignState());
    Map<String, String> data = old.current() == null ? text(next) : RecordCodec.write(next);
    Call call =
        Call.put(
            path + "/" + old.node(),
            ConfigMapBody.updated(namespace, old.node(), old.origin(), data));
    Reply reply = api.send(call);
    if (reply.status() == 409 || reply.status() == 404) {
      return false;
    }
    expect(call, reply);
    return true;
  }

  /** Removes this very version; false when it is another by now. */
  public boolean delete(String node, Origin origin) throws IOException {
    Call call = Call.delete(path + "/" + node, origin.uid(), origin.rv());
    Reply reply = api.send(call);
    if (reply.status() == 409) {
      return false;
    }
    if (reply.status() != 404) {
      expect(call, reply);
    }
    return true;
  }

  /** True when it was not there and was made. */
  public boolean makeNamespace() throws IOException {
    Reply found = api.send(Call.get("/api/v1/namespaces/" + namespace));
    // Who may not look at namespaces may still write into this one.
    if (found.status() != 404) {
      return false;
    }
    Call call =
        Call.post(
            "/api/v1/namespaces",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
                .formatted(namespace));
    Reply made = api.send(call);
    if (made.status() != 409) {
      expect(call, made);
    }
    return made.ok();
  }

  private static Map<String, String> text(NodeRecord record) {
    return Map.of(RecordCodec.RECORD, readable(record));
  }

  /** What a person reads of it. */
  public static String readable(NodeRecord record) {
    return String.valueOf(RecordCodec.write(record).get(RecordCodec.RECORD));
  }

  private static Reply expect(Call call, Reply reply) throws RefusedException {
    if (!reply.ok()) {
      String plain = call.path().replaceFirst("\\?.*", "");
      throw new RefusedException(call.method() + " " + plain, reply);
    }
    return reply;
  }
}
