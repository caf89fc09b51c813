package dev.nodekeeper.cli.records;

import dev.nodekeeper.cli.ProblemException;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.look.Cluster;
import java.io.IOException;
import java.util.Optional;

/** First the new record, then the old one goes: cut short in between, both are there. */
public final class Move {
  private final Cluster cluster;
  private final RecordStore store;

  public Move(Cluster cluster, RecordStore store) {
    this.cluster = cluster;
    this.store = store;
  }

  public void run(String from, String to) throws IOException {
    NodeRecord old = readable(from);
    if (cluster.node(from).isPresent()) {
      throw ProblemException.failed(
          "node %s is still there, and would be remembered again; delete it first".formatted(from));
    }
    NodeRecord wanted = Found.record(to, old.content(), old.capturedAt(), old.foreignRecord());
    Optional<Stored> there = cluster.record(to);
    Optional<Origin> made = Optional.empty();
    if (there.isEmpty()) {
      made = store.create(wanted);
      if (made.isEmpty()) {
        throw taken(to);
      }
    } else if (!(there.get() instanceof NodeRecord other)
        || !other.content().equals(old.content())) {
      throw taken(to);
    }
    if (!store.delete(from, old.origin())) {
      if (made.isPresent()) {
        boolean _ = store.delete(to, made.get());
      }
      throw ProblemException.failed(
          "the record of node %s was changed meanwhile; nothing was moved, run it again"
              .formatted(from));
    }
  }

  private NodeRecord readable(String name) throws IOException {
    Stored stored = cluster.record(name).orElseThrow(() -> ProblemException.noRecord(name));
    return switch (stored) {
      case NodeRecord record -> record;
      case Unreadable broken ->
          throw ProblemException.failed(
              "the record of node %s cannot be read: %s".formatted(name, broken.detail()));
    };
  }

  private static ProblemException taken(String to) {
    return ProblemException.failed(
        "node %s has a record of its own, which stays; `forget %s --reset` removes it"
            .formatted(to, to));
  }
}
