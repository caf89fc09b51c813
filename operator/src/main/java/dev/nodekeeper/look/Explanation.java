package dev.nodekeeper.look;

import dev.nodekeeper.core.decide.Decision;
import dev.nodekeeper.core.decide.Decision.Cause;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The core's decisions in a person's words. */
final class Explanation {
  private static final int KEYS_NAMED = 5;

  private Explanation() {}

  static State state(Decision decision) {
    return switch (decision) {
      case Decision.Inert _ -> State.REFUSED;
      case Decision.Restore _, Decision.ReadRecord _ -> State.PENDING_RESTORE;
      case Decision.Write write ->
          write.cause() == Cause.HAND_EDIT ? State.PENDING_RESTORE : State.PENDING_CAPTURE;
      case Decision.Nothing _ -> State.CURRENT;
    };
  }

  static String why(Decision decision, Set<Key> withheld) {
    return switch (decision) {
      case Decision.Inert inert -> unusable(inert.record());
      case Decision.ReadRecord _ ->
          "The node was restored from a newer version of the record than this one.";
      case Decision.Restore restore -> restore(restore);
      case Decision.Write write -> write(write);
      case Decision.Nothing nothing ->
          switch (nothing.why()) {
            case NOTHING_TO_KEEP -> "Nobody has put anything on this node that is to be kept.";
            case TERMINATING ->
                "The node is being deleted, and nothing is restored onto a dying one.";
            case IN_STEP, OLDER_THAN_RECORD, NOTHING_TOUCHED -> inStep(withheld);
          };
    };
  }

  static State stateAway(Optional<Stored> stored) {
    return stored.isPresent() && stored.get() instanceof NodeRecord ? State.AWAY : State.REFUSED;
  }

  static String whyAway(Optional<Stored> stored) {
    return switch (stored.orElseThrow()) {
      case Stored.Unreadable unreadable -> unusable(unreadable);
      case NodeRecord record -> away(record.content());
    };
  }

  private static String away(Content content) {
    return content.isEmpty()
        ? "There is no such node now, and nothing to give back: the record will be removed."
        : "There is no such node now; when it returns it gets back what is in the record.";
  }

  private static String unusable(Stored.Unreadable record) {
    return "The record cannot be used (%s), so it is neither restored nor overwritten; repair or delete the ConfigMap."
        .formatted(record.detail());
  }

  private static String inStep(Set<Key> withheld) {
    return withheld.isEmpty()
        ? "What is on the node is what is in the record."
        : "What is on the node is what is in the record, except what is left out on purpose: %s."
            .formatted(named(withheld));
  }

  private static String restore(Decision.Restore restore) {
    String left =
        restore.withheld().isEmpty()
            ? ""
            : " Left out on purpose%s: %s."
                .formatted(
                    restore.inDoubt() ? ", because it may be another machine" : "",
                    named(restore.withheld()));
    return restore.changes().isEmpty()
        ? "The node has everything; only the mark that says so is still to be written." + left
        : "The node has returned and still lacks what the record holds: %s.%s"
            .formatted(named(restore.changes().keySet()), left);
  }

  private static String write(Decision.Write write) {
    String trimmed =
        write.trimmed().isEmpty()
            ? ""
            : " Too large to be kept: %s.".formatted(named(write.trimmed()));
    return trimmed.isEmpty() ? because(write.cause()) : because(write.cause()) + trimmed;
  }

  private static String because(Cause cause) {
    return switch (cause) {
      case CREATE -> "There is no record yet of what is on the node.";
      case CAPTURE -> "The node was changed, and the record does not say so yet.";
      case ADOPT -> "The content is the same; the record is still to be bound to this node.";
      case HAND_EDIT ->
          "The record was written by hand; it is taken up as it stands, and the node follows it.";
      case MERGE, LATE_MERGE -> "An earlier life of the node left changes that the record lacks.";
    };
  }

  private static String named(Collection<Key> keys) {
    String some =
        keys.stream().limit(KEYS_NAMED).map(Explanation::name).collect(Collectors.joining(", "));
    return keys.size() <= KEYS_NAMED
        ? some
        : "%s and %d more".formatted(some, keys.size() - KEYS_NAMED);
  }

  private static String name(Key key) {
    return switch (key.kind()) {
      case LABEL -> "label " + key.name();
      case TAINT -> "taint " + key.name() + ":" + key.effect();
      case ANNOTATION -> "annotation " + key.name();
      case CORDON -> "cordon";
    };
  }
}
