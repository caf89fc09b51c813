package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.decide.Decision.Cause;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Version;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the Keeper wants done. */
public sealed interface Effect {

  /** One API request. Exactly one {@link Input} answers it; per node name one is in flight. */
  sealed interface Request extends Effect {
    /**
     * It must not be sent later than this after it was asked for, but answered {@link
     * Outcome.NotSent}: what it rests on may be over, for example when the process stood still.
     */
    Duration FRESH = Duration.ofSeconds(30);

    String node();

    /** Must not be sent once the node is another replica's. */
    default boolean ownersOnly() {
      return switch (this) {
        case PatchNode _, DeleteRecord _ -> true;
        case CreateRecord create -> create.purpose() != Purpose.LAST_WORD;
        case UpdateRecord update -> update.purpose() != Purpose.LAST_WORD;
        case ReadRecord _, ReadNode _ -> false;
      };
    }
  }

  /**
   * PATCH of a node, safe to repeat: the body carries its own preconditions.
   *
   * @param rv of the view that it was made from
   * @param contentType of the patch
   */
  record PatchNode(
      String node, String uid, long rv, String contentType, String body, Purpose purpose, Gift gift)
      implements Request {
    public PatchNode(
        String node, String uid, long rv, String contentType, String body, Purpose purpose) {
      this(node, uid, rv, contentType, body, purpose, Gift.NONE);
    }
  }

  /**
   * What a patch gives to a node, in numbers.
   *
   * @param version of the record that it comes from
   * @param from the life that this version was taken from; empty when it is bound to none
   * @param keys how many of each kind
   */
  record Gift(long version, String from, Map<Kind, Integer> keys) {
    public static final Gift NONE = new Gift(0, "", Map.of());

    static Gift of(Version version, Map<Key, Optional<String>> changes) {
      Map<Kind, Integer> keys = new EnumMap<>(Kind.class);
      changes.forEach(
          (key, value) -> keys.merge(key.kind(), value.isPresent() ? 1 : 0, Integer::sum));
      keys.values().removeIf(count -> count == 0);
      return new Gift(version.generation(), version.uid(), keys);
    }

    public boolean isEmpty() {
      return keys.isEmpty();
    }

    /** Such as "labels: 2, taints: 1". */
    String words() {
      return keys.entrySet().stream()
          .map(entry -> entry.getKey().setting() + ": " + entry.getValue())
          .collect(Collectors.joining(", "));
    }
  }

  /** POST of the ConfigMap; {@code data} is its data. */
  record CreateRecord(String node, Map<String, String> data, NodeRecord record, Purpose purpose)
      implements Request {}

  /** PUT of the ConfigMap under uid and resourceVersion of {@code record.origin()}. */
  record UpdateRecord(String node, Map<String, String> data, NodeRecord record, Purpose purpose)
      implements Request {}

  /**
   * DELETE of the ConfigMap with uid and resourceVersion of {@code record.origin()} as
   * preconditions.
   */
  record DeleteRecord(String node, NodeRecord record) implements Request {}

  /** GET of the ConfigMap, answered by {@link Input.RecordRead} (or Done when it fails). */
  record ReadRecord(String node) implements Request {}

  /** GET of the node, answered by {@link Input.NodeRead} (or Done when it fails). */
  record ReadNode(String node) implements Request {}

  /**
   * News have overtaken the request: unless it was sent already it must not be, but answered {@link
   * Outcome.NotSent}.
   */
  record Recall(Request request) implements Effect {}

  /**
   * Something a person should know; goes to the log, and where {@code reason.event()} to an event.
   *
   * @param message never has a value of an annotation in it
   */
  record Report(String node, Reason reason, String message, Facts facts) implements Effect {
    public Report(String node, Reason reason, String message) {
      this(node, reason, message, Facts.NONE);
    }

    /** Whether people are to see it on the node. */
    public boolean event() {
      return reason.event() && !node.isEmpty() && (reason != Reason.RESTORED || facts.gave());
    }
  }

  /**
   * What machines want to read of a report without its words.
   *
   * @param version of the record; 0 where it is about none
   * @param uid the life of the node that it is about; empty where it is about none
   * @param gift what it was given
   * @param tookMillis since the node waited for it; 0 where that is not known
   */
  record Facts(long version, String uid, Gift gift, long tookMillis) {
    public static final Facts NONE = of(0);

    static Facts of(long version) {
      return new Facts(version, "", Gift.NONE, 0);
    }

    boolean gave() {
      return !gift.isEmpty();
    }
  }

  /** Why a request is sent; a metric label. */
  enum Purpose {
    CREATE,
    CAPTURE,
    ADOPT,
    MERGE,
    /** Of a deleted node whose owner has not written it: it may not have seen it. */
    LAST_WORD,
    HAND_EDIT,
    AWAY,
    PRESENT,
    RESTORE,
    TAINTS_FIRST;

    static Purpose of(Cause cause) {
      return switch (cause) {
        case CREATE -> CREATE;
        case CAPTURE -> CAPTURE;
        case ADOPT -> ADOPT;
        case MERGE, LATE_MERGE -> MERGE;
        case HAND_EDIT -> HAND_EDIT;
      };
    }

    /** As people and metrics read it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
