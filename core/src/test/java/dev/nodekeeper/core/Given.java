package dev.nodekeeper.core;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.decide.NodeView;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.model.Words;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The vocabulary of the tests: nodes, what was seen of them, and records, in the design's words.
 */
@NullMarked
public final class Given {
  public static final String NAME = "gpu-17";

  private Given() {}

  public static Node node(String uid) {
    return new Node(uid);
  }

  public static Remembered record() {
    return new Remembered();
  }

  public static Things things() {
    return new Things();
  }

  /** The secret of a generation, so that tests can make true markers. */
  public static String nonce(long generation) {
    return String.format("nonce-of-generation-%06d", generation);
  }

  /** A true marker of the current version of this record. */
  public static String marker(NodeRecord record, String uid, Key... withheld) {
    return marker(record.generation(), uid, withheld);
  }

  /** A true marker of that generation. */
  public static String marker(long generation, String uid, Key... withheld) {
    Version version = new Version(generation, nonce(generation), "", 0, Content.EMPTY);
    return Marker.of(version, uid, Marker.list(List.of(withheld)));
  }

  public static Key label(String name) {
    return Key.label(name);
  }

  public static Key taint(String key) {
    return Key.taint(key, "NoSchedule");
  }

  public static Key annotation(String name) {
    return Key.annotation(name);
  }

  /** Labels, taints, annotations, cordon: what nodes, records and their versions have in common. */
  public static class Things {
    final Map<String, String> labels = new TreeMap<>();
    final Map<Key, Taint> taints = new TreeMap<>();
    final Map<String, String> annotations = new TreeMap<>();
    boolean cordoned;

    public Things label(String name, String value) {
      labels.put(name, value);
      return this;
    }

    public Things taint(String key, String value) {
      return taint(new Taint(key, value, "NoSchedule"));
    }

    public Things taint(Taint taint) {
      taints.put(taint.id(), taint);
      return this;
    }

    public Things annotation(String name, String value) {
      annotations.put(name, value);
      return this;
    }

    public Things cordon() {
      cordoned = true;
      return this;
    }

    public Content content() {
      return Content.of(labels, List.copyOf(taints.values()), annotations, cordoned);
    }
  }

  /** A node under a pen; each method returns itself, {@link #state} a snapshot. */
  public static final class Node extends Things {
    private String name = NAME;
    private final String uid;
    private long rv = 10;
    private boolean terminating;
    private @Nullable String marker;
    private @Nullable String withheld;
    private Identity identity = Identity.NONE;
    private Policy policy = Policy.DEFAULT;
    private int annotationBytes;

    private Node(String uid) {
      this.uid = uid;
    }

    public Node name(String value) {
      name = value;
      return this;
    }

    public Node rv(long value) {
      rv = value;
      return this;
    }

    @Override
    public Node label(String name, String value) {
      super.label(name, value);
      return this;
    }

    public Node without(String label) {
      labels.remove(label);
      return this;
    }

    @Override
    public Node taint(String key, String value) {
      super.taint(key, value);
      return this;
    }

    @Override
    public Node taint(Taint taint) {
      super.taint(taint);
      return this;
    }

    public Node withoutTaint(String key) {
      taints.remove(Given.taint(key));
      return this;
    }

    @Override
    public Node annotation(String name, String value) {
      super.annotation(name, value);
      return this;
    }

    @Override
    public Node cordon() {
      super.cordon();
      return this;
    }

    public Node uncordon() {
      cordoned = false;
      return this;
    }

    public Node terminating() {
      terminating = true;
      return this;
    }

    public Node marked(@Nullable String value) {
      marker = value;
      return this;
    }

    /** Marked, and with the list of what was withheld beside it. */
    public Node marked(@Nullable String value, Key... heldBack) {
      marker = value;
      withheld = heldBack.length == 0 ? null : Marker.list(List.of(heldBack));
      return this;
    }

    public Node machine(String providerId) {
      identity = new Identity(providerId, "", "");
      return this;
    }

    public Node identity(Identity value) {
      identity = value;
      return this;
    }

    /** What the shell keeps of it. */
    public Node under(Policy value) {
      policy = value;
      return this;
    }

    public Node annotationBytes(int bytes) {
      annotationBytes = bytes;
      return this;
    }

    public NodeState state() {
      return new NodeState(
          name,
          uid,
          rv,
          terminating,
          policy.keeps(content()),
          List.copyOf(taints.values()),
          marker,
          withheld,
          identity,
          !labels.isEmpty(),
          !annotations.isEmpty() || marker != null,
          annotationBytes);
    }

    /** Created before our eyes. */
    public Seen registered() {
      return new Seen(this, Knowledge.registration(state()));
    }

    /** Met in a list: its registration is unknown. */
    public Seen found() {
      return new Seen(this, Knowledge.found(state()));
    }
  }

  /** A node with what a replica saw of it. */
  public static final class Seen {
    private final Node node;
    private NodeState last;
    private Knowledge knowledge;
    private boolean deleted;

    private Seen(Node node, Knowledge knowledge) {
      this.node = node;
      this.knowledge = knowledge;
      this.last = node.state();
    }

    /** The next event of the same incarnation, one revision later. */
    public Seen then(UnaryOperator<Node> change) {
      NodeState next = change.apply(node.rv(last.rv() + 1)).state();
      knowledge = knowledge.see(last, next);
      last = next;
      return this;
    }

    /** The same, shortly after our own restore. */
    public Seen soonAfterRestore(UnaryOperator<Node> change) {
      NodeState next = change.apply(node.rv(last.rv() + 1)).state();
      knowledge = knowledge.seeAfterRestore(last, next);
      last = next;
      return this;
    }

    /** As the Keeper does before each further event: what the record vouches for is remembered. */
    public Seen beside(NodeRecord record) {
      knowledge = knowledge.confirm(record, last.uid());
      return this;
    }

    /** Its last state, at the revision of the deletion. */
    public Seen deleted() {
      then(n -> n);
      deleted = true;
      return this;
    }

    public NodeState state() {
      return last;
    }

    public NodeView view() {
      return deleted ? NodeView.tombstone(last, knowledge) : NodeView.living(last, knowledge);
    }
  }

  /** A record under a pen. */
  public static final class Remembered extends Things {
    private String name = NAME;
    private long generation = 1;
    private String uid = "u1";
    private long rv = 5;
    private @Nullable String nonce;
    private Origin origin = new Origin("cm", 6, "");
    private final List<Version> versions = new ArrayList<>();
    private final Map<Key, Long> late = new TreeMap<>();
    private final Set<Key> withheld = new TreeSet<>();
    private Identity identity = Identity.NONE;
    private boolean preSeeded;
    private @Nullable Content written;

    private Remembered() {}

    public Remembered name(String value) {
      name = value;
      return this;
    }

    public Remembered gen(long value) {
      generation = value;
      return this;
    }

    public Remembered uid(String value) {
      uid = value;
      return this;
    }

    public Remembered rv(long value) {
      rv = value;
      return this;
    }

    public Remembered nonce(String value) {
      nonce = value;
      return this;
    }

    /** The resourceVersion of its ConfigMap. */
    public Remembered at(long configMapRv) {
      origin = new Origin(origin.uid(), configMapRv, "");
      return this;
    }

    @Override
    public Remembered label(String name, String value) {
      super.label(name, value);
      return this;
    }

    @Override
    public Remembered taint(String key, String value) {
      super.taint(key, value);
      return this;
    }

    @Override
    public Remembered taint(Taint taint) {
      super.taint(taint);
      return this;
    }

    @Override
    public Remembered annotation(String name, String value) {
      super.annotation(name, value);
      return this;
    }

    @Override
    public Remembered cordon() {
      super.cordon();
      return this;
    }

    /** An older version; give the newest first. */
    public Remembered older(long gen, String ofUid, long atRv, Things had) {
      versions.add(new Version(gen, Given.nonce(gen), ofUid, atRv, had.content()));
      return this;
    }

    /** The key's value came from a tombstone that was touched at that rv. */
    public Remembered late(Key key, long touchedAt) {
      late.put(key, touchedAt);
      return this;
    }

    public Remembered withheld(Key... keys) {
      withheld.addAll(List.of(keys));
      return this;
    }

    public Remembered machine(String providerId) {
      identity = new Identity(providerId, "", "");
      return this;
    }

    /** A person wrote it: no bookkeeping. */
    public Remembered preSeeded() {
      preSeeded = true;
      return this;
    }

    /** What we had written before a person changed it to the present content. */
    public Remembered editedFrom(Things had) {
      written = had.content();
      return this;
    }

    /** As they come about when these versions are written one after the other. */
    private Words words(Version current) {
      List<Version> history = new ArrayList<>(versions.reversed());
      history.add(current);
      Version first = history.removeFirst();
      Content before = first.content();
      Map<Key, Long> keys = new TreeMap<>();
      for (Version version : history) {
        before.changed(version.content()).forEach(key -> keys.put(key, version.rv()));
        before = version.content();
      }
      keys.putAll(late);
      return new Words(first.rv(), first.generation() == 1 ? 0 : first.rv(), Map.copyOf(keys));
    }

    public NodeRecord build() {
      Content now = content();
      Version current =
          new Version(
              generation,
              nonce == null ? Given.nonce(generation) : nonce,
              uid,
              rv,
              written == null ? now : written);
      return new NodeRecord(
          name,
          origin,
          now,
          preSeeded ? null : current,
          List.copyOf(versions),
          preSeeded ? Words.NONE : words(current),
          Set.copyOf(withheld),
          identity,
          "2026-01-01T00:00:00Z",
          List.of(),
          Map.of(),
          Map.of());
    }
  }

  /** Everything a person can put on a node. */
  public static Policy keepEverything() {
    return new Policy(
        Set.of(dev.nodekeeper.core.model.Kind.values()),
        List.of(),
        Policy.OnConflict.NODE,
        Policy.IdentityBy.NAME);
  }

  public static Policy onConflictRecord() {
    return new Policy(
        Policy.DEFAULT.keep(), List.of(), Policy.OnConflict.RECORD, Policy.IdentityBy.NAME);
  }

  public static Policy identityByProvider() {
    return new Policy(
        Policy.DEFAULT.keep(), List.of(), Policy.OnConflict.NODE, Policy.IdentityBy.PROVIDER);
  }

  public static Policy onlyLabels(String... prefixes) {
    return new Policy(
        Policy.DEFAULT.keep(),
        Stream.of(prefixes).toList(),
        Policy.OnConflict.NODE,
        Policy.IdentityBy.NAME);
  }
}
