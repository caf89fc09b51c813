package dev.nodekeeper.bench.micro;

import dev.nodekeeper.bench.load.Fleet;
import dev.nodekeeper.core.codec.PackedRecords;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Keeper;
import dev.nodekeeper.core.keep.Limits;
import dev.nodekeeper.core.keep.Moment;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.loop.Nonces;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * What one node takes in the memory of a Keeper, from its first list until its tombstone is gone. A
 * whole fleet, since nodes share what they have in common; and bytes, not seconds, so that it holds
 * on any machine.
 */
public final class Heap {
  private static final long HOUR = 3_600_000;

  private final Fleet fleet;
  private final Nonces nonces = new Nonces();
  private Keeper keeper = new Keeper(Material.POLICY, Limits.DEFAULT, Role.ALL);
  private final Map<String, Long> bytes = new LinkedHashMap<>();
  private long now = 1_800_000_000_123L;
  private long rv = 1_000_000;

  private Heap(Fleet fleet) {
    this.fleet = fleet;
  }

  public static void main(String[] args) {
    int nodes = args.length == 0 ? 20_000 : Integer.parseInt(args[0]);
    System.out.println("heap per node, " + nodes + " nodes");
    perNode(nodes).forEach((when, bytes) -> System.out.printf("%-40s %,6d bytes%n", when, bytes));
  }

  /** By what has happened to all of them. */
  public static Map<String, Long> perNode(int nodes) {
    Heap heap = new Heap(new Fleet(nodes, 1));
    long before = used();
    heap.live();
    heap.bytes.replaceAll((_, used) -> (used - before) / nodes);
    return heap.bytes;
  }

  private void live() {
    give(new Input.RecordsListed(List.of(), ++rv));
    give(new Input.NodeListStarted());
    give(new Input.NodesListed(states(1), ++rv));
    all(i -> new Input.NodeModified(state(i, 1, fleet.everything(i, 0))));
    now(now + 1000, "captured");
    all(
        i -> {
          fleet.edit(i);
          return new Input.NodeModified(state(i, 1, fleet.everything(i, 0)));
        });
    now(now + 1000, "edited and captured");
    all(i -> new Input.NodeDeleted(state(i, 1, fleet.everything(i, 0))));
    now(now + 1000, "deleted");
    all(i -> new Input.NodeAdded(state(i, 2, "{}")));
    now(now + 1000, "returned and restored");
    now(now + HOUR, "an hour later");
    startAnew();
    now(now + HOUR, "restored after a start");
    listAgain();
  }

  /** The watch was lost: measured when the last page is in, before the list is told. */
  private void listAgain() {
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < fleet.size(); i++) {
      NodeState heartbeat = state(i, 3, fleet.everything(i, 0));
      nodes.addAll(keeper.familiar().nodes(List.of(heartbeat)));
    }
    bytes.put("nodes listed again", used());
    give(new Input.NodesListed(nodes, ++rv));
  }

  /** All returned while we were away: measured before the first is restored. */
  private void startAnew() {
    keeper = new Keeper(Material.POLICY, Limits.DEFAULT, Role.ALL);
    Moment moment = new Moment(now, now, nonces);
    keeper.on(new Input.NodeListStarted(), moment);
    keeper.on(new Input.NodesListed(states(3), ++rv), moment);
    List<Effect> effects = keeper.on(new Input.RecordsListed(records(), ++rv), moment);
    bytes.put("listed, all are to be restored", used());
    perform(effects);
  }

  private List<Stored> records() {
    List<Stored> records = new PackedRecords();
    for (int i = 0; i < fleet.size(); i++) {
      NodeState first = state(i, 2, fleet.everything(i, 0));
      fleet.edit(i);
      records.add(Material.record(first, state(i, 2, fleet.everything(i, 0))));
    }
    return records;
  }

  /** As they register. */
  private List<NodeState> states(int life) {
    List<NodeState> states = new ArrayList<>();
    for (int i = 0; i < fleet.size(); i++) {
      states.add(state(i, life, "{}"));
    }
    return states;
  }

  private void all(IntFunction<Input> what) {
    for (int k = 0; k < fleet.size(); k++) {
      give(what.apply(fleet.at(k)));
    }
  }

  private void now(long later, String when) {
    now = later;
    give(new Input.RecordProgress(rv));
    give(new Input.Tick());
    bytes.put(when, used());
  }

  /** With what follows from it: every request succeeds, and the watch shows it. */
  private void give(Input first) {
    perform(keeper.on(first, new Moment(now, now, nonces)));
  }

  private void perform(List<Effect> first) {
    Deque<Effect> effects = new ArrayDeque<>(first);
    while (!effects.isEmpty()) {
      for (Input input : replies(effects.pop())) {
        effects.addAll(keeper.on(input, new Moment(now, now, nonces)));
      }
    }
  }

  private List<Input> replies(Effect effect) {
    return switch (effect) {
      case Effect.PatchNode patch -> {
        NodeState restored = state(fleet.index(patch.node()), patch.uid(), patch.body());
        yield List.of(done(patch, restored.rv()), new Input.NodeModified(restored));
      }
      case Effect.Request request -> List.of(done(request, ++rv));
      case Effect.Recall _, Effect.Report _ -> List.of();
    };
  }

  private Input done(Effect.Request request, long revision) {
    String uid = new UUID(fleet.index(request.node()), 0).toString();
    return new Input.Done(request, new Outcome.Ok(new Origin(uid, revision, "")));
  }

  private NodeState state(int index, int life, String patch) {
    return state(index, new UUID(index, life).toString(), patch);
  }

  private NodeState state(int index, String uid, String patch) {
    Material material = new Material(fleet, index);
    return material.state(material.node(uid, ++rv, patch));
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
