package dev.nodekeeper.look;

import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.RecordReader;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nodes and records at one moment, and as a watch changes them. Not for several threads. */
public final class Snapshot {
  private final Policy policy;
  private final Selector selector;
  private final SortedMap<String, NodeState> nodes = new TreeMap<>();
  private final SortedMap<String, Stored> records = new TreeMap<>();

  /** Nodes that are there, selected or not: their records are not those of nodes that are away. */
  private final Set<String> others = new TreeSet<>();

  long nodesRv;
  long recordsRv;

  Snapshot(Policy policy, Selector selector) {
    this.policy = policy;
    this.selector = selector;
  }

  public long nodesRv() {
    return nodesRv;
  }

  public long recordsRv() {
    return recordsRv;
  }

  void others(Set<String> names) {
    others.addAll(names);
  }

  public void put(NodeState node) {
    nodes.put(node.name(), node);
  }

  public void removeNode(String name) {
    nodes.remove(name);
  }

  public void put(Stored stored) {
    if (!stored.node().equals(RecordReader.NOT_OURS)) {
      records.put(stored.node(), stored);
    }
  }

  public void removeRecord(String name) {
    records.remove(name);
  }

  public List<Standing> standings() {
    SortedSet<String> names = new TreeSet<>(nodes.keySet());
    names.addAll(records.keySet());
    return names.stream().map(this::standing).flatMap(Optional::stream).toList();
  }

  /** Empty when there is neither a node nor a record of this name. */
  public Optional<Standing> standing(String name) {
    Optional<NodeState> node = Optional.ofNullable(nodes.get(name));
    Optional<Stored> stored = Optional.ofNullable(records.get(name));
    if (node.isEmpty()) {
      stored = stored.filter(found -> !foreign(found) && !others.contains(name) && fits(found));
    }
    return node.isEmpty() && stored.isEmpty()
        ? Optional.empty()
        : Optional.of(Standing.of(name, node, stored, policy));
  }

  public Collection<NodeState> nodes() {
    return nodes.values();
  }

  /** What is in the places of records, of the nodes that the selector fits. */
  public List<Stored> records() {
    return records.values().stream().filter(this::selected).toList();
  }

  public Optional<Stored> record(String name) {
    return Optional.ofNullable(records.get(name)).filter(this::selected);
  }

  private boolean selected(Stored stored) {
    return !foreign(stored)
        && (nodes.containsKey(stored.node()) || (!others.contains(stored.node()) && fits(stored)));
  }

  private boolean fits(Stored stored) {
    return selector.isAll()
        || (stored instanceof NodeRecord record
            && selector.matches(record.content().named(Kind.LABEL)));
  }

  /** Somebody else's ConfigMap that happens to live in our namespace. */
  private static boolean foreign(Stored stored) {
    return stored instanceof Unreadable unreadable && unreadable.defect() == Defect.NOT_A_RECORD;
  }
}
