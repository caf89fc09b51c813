package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.codec.PackedRecords;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.policy.Policy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One replica's memory: takes what happens, gives what is to be done. Single-threaded and pure; a
 * DELETED is never folded into a later ADDED.
 */
public final class Keeper {
  private final Limits limits;
  private final Map<String, Slot> slots = new HashMap<>();
  private final Agenda agenda = new Agenda();
  private final Horizon horizon = new Horizon();
  private final Waiting waiting = new Waiting();
  private final Round round = new Round();
  private final Tally tally = new Tally();
  private final Outbox outbox;
  private final Duty duty;
  private final Desk desk;
  private final Replies replies;

  private boolean nodesListed;
  private boolean recordsListed;
  private long nextResync;

  public Keeper(Policy policy, Limits limits, Role role) {
    this.limits = limits;
    this.outbox = new Outbox(limits.inFlight());
    this.duty = new Duty(role, horizon);
    this.desk = new Desk(policy, limits, agenda, waiting, horizon, duty, outbox, tally);
    this.replies = new Replies(horizon, outbox);
  }

  /** When a {@link Input.Tick} is wanted. */
  public OptionalLong nextDue() {
    // Asked twice for each input: no streams here.
    if (!round.isOver() && outbox.hasRoom()) {
      return OptionalLong.of(0);
    }
    long next = nextResync == 0 ? Long.MAX_VALUE : nextResync;
    next = Math.min(next, agenda.nextAt().orElse(Long.MAX_VALUE));
    next = Math.min(next, duty.nextAt().orElse(Long.MAX_VALUE));
    return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /** Something is in flight, waits for its turn, or settles. */
  public boolean busy(long millis) {
    return outbox.inFlight() > 0
        || !waiting.isEmpty()
        || !round.isOver()
        || agenda.nextAt().orElse(Long.MAX_VALUE) <= millis + limits.settleMax().toMillis();
  }

  /** The revision up to which the node watch has shown everything. */
  public long nodesSeen() {
    return horizon.nodes;
  }

  public List<Effect> on(Input input, Moment now) {
    outbox.open(now);
    switch (input) {
      case Input.NodeListStarted() -> horizon.nodeListStarts(slots.values());
      case Input.NodesListed(var nodes, long rv) -> nodesListed(nodes, rv, now.millis());
      case Input.NodeAdded(NodeState node) -> {
        if (horizon.nodesReach(node.rv())) {
          seen(node, Knowledge::registration, now.millis());
        }
      }
      case Input.NodeModified(NodeState node) -> {
        if (horizon.nodesReach(node.rv())) {
          seen(node, Knowledge::found, now.millis());
        }
      }
      case Input.NodeDeleted(NodeState node) -> {
        if (horizon.nodesReach(node.rv())) {
          deleted(node, now.millis());
        }
      }
      case Input.NodeProgress(long rv) -> horizon.nodesReach(rv);
      case Input.RecordsListed(var records, long rv) -> recordsListed(records, rv);
      case Input.RecordSeen(Stored stored) -> recordSeen(stored);
      case Input.RecordDeleted(String name, long rv) -> recordDeleted(name, rv);
      case Input.RecordProgress(long rv) -> recordProgress(rv);
      case Input.Shared(Shares shares) -> duty.share(shares, now.millis());
      case Input.Done(var request, var outcome) -> done(request, outcome);
      case Input.NodeRead(var request, var node) -> {
        Slot slot = slot(request.node());
        replies.nodeRead(slot, node);
        consider(slot);
        slot.turn().looked = false;
        slot.rest();
      }
      case Input.RecordRead(var request, var stored) -> {
        Slot slot = slot(request.node());
        replies.recordRead(slot, stored);
        consider(slot);
      }
      case Input.Tick() -> {}
    }
    workOff(now.millis());
    return outbox.close();
  }

  public Counts counts() {
    return Counts.of(slots.values(), outbox, waiting, duty::covers, tally);
  }

  /** For people who look at the fleet; changes nothing. */
  public Survey survey(Survey.Query query) {
    return Survey.of(slots.values(), query);
  }

  /** For who collects a list that may be as large as the fleet. */
  public Familiar familiar() {
    return new Familiar(slots);
  }

  // ---- nodes

  private void nodesListed(List<NodeState> nodes, long rv, long now) {
    if (horizon.lost(rv)) {
      for (Slot slot : slots.values()) {
        slot.resetHistory();
        if (slot.recordRv() > rv) {
          lostRecord(slot);
        }
      }
      outbox.report(
          "",
          Reason.HISTORY_RESET,
          "the cluster's history went back from revision "
              + horizon.newest()
              + " to "
              + rv
              + " (a restored etcd?): every node is compared afresh");
    }
    horizon.nodes = rv;
    Set<String> present = new HashSet<>();
    for (NodeState node : nodes) {
      present.add(node.name());
      Slot slot = slot(node.name());
      replaceOther(slot, node, rv, now);
      if (slot.node == null) {
        slot.begin(node, Knowledge::found, 0);
      } else if (node.rv() > slot.node.rv()) {
        slot.seeListed(node, now);
      }
      slot.aliveRv = rv;
    }
    for (Slot slot : slots.values()) {
      if (slot.node != null && !present.contains(slot.name)) {
        slot.bury(slot.node, rv, now);
      }
    }
    nodesListed = true;
    startOrLookAtAll(now);
  }

  /**
   * Perhaps of the history that is lost: its revision may be given to another write, and then a
   * compare-and-swap with it would succeed.
   */
  private void lostRecord(Slot slot) {
    if (slot.recordRv() > horizon.records) {
      slot.resetRecord(); // only our own reply has shown it
    } else {
      slot.turn().doubtRecord = true;
    }
  }

  private void replaceOther(Slot slot, NodeState next, long asOf, long now) {
    if (slot.node != null && !slot.node.life().isOf(next.life())) {
      slot.bury(slot.node, asOf, now);
    }
  }

  /** Without its ADDED a new incarnation is one that we only found. */
  private void seen(NodeState node, Function<NodeState, Knowledge> whenNew, long now) {
    Slot slot = slot(node.name());
    replaceOther(slot, node, node.rv(), now);
    if (slot.node == null) {
      slot.begin(node, whenNew, now);
    } else if (node.rv() > slot.node.rv()) {
      if (duty.covers(slot)) {
        tally.changed(slot.node, node);
      }
      slot.see(node, now);
    }
    if (slot.calm) {
      slot.rest();
    } else {
      consider(slot);
    }
  }

  private void deleted(NodeState node, long now) {
    Slot slot = slot(node.name());
    slot.bury(node, node.rv(), now);
    consider(slot);
  }

  // ---- records

  private void recordsListed(List<Stored> records, long rv) {
    if (rv < horizon.records) {
      for (Slot slot : slots.values()) {
        slot.resetRecord();
        if (slot.node != null && slot.node.rv() > rv) {
          // Of the history that is lost: not to be captured before the nodes are listed again.
          slot.resetHistory();
        }
      }
    }
    horizon.records = rv;
    Set<String> present = new HashSet<>();
    PackedRecords.of(records)
        .each(
            (name, record) -> {
              present.add(name);
              Slot slot = slot(name);
              slot.learn(record);
              slot.rest();
            },
            stored -> {
              present.add(stored.node());
              Slot slot = slot(stored.node());
              slot.learn(stored);
              slot.rest();
            });
    for (Slot slot : slots.values()) {
      // Our own write may be newer than the list.
      if (slot.hasRecord() && !present.contains(slot.name) && slot.recordRv() <= rv) {
        slot.forget(rv);
      }
    }
    recordsListed = true;
    startOrLookAtAll(outbox.now());
  }

  private void recordSeen(Stored stored) {
    long rv = stored.origin().rv();
    if (rv > horizon.records) {
      Slot slot = slot(stored.node());
      slot.learn(stored);
      consider(slot);
      recordProgress(rv);
    }
  }

  private void recordDeleted(String name, long rv) {
    if (rv > horizon.records) {
      Slot slot = slot(name);
      if (slot.hasRecord() && slot.recordRv() < rv) {
        slot.forget(rv);
      } else {
        slot.past().voidBefore(rv);
      }
      consider(slot);
      recordProgress(rv);
    }
  }

  /** NB: after what came with it was learnt, or a tombstone is settled by the record before it. */
  private void recordProgress(long rv) {
    horizon.records = Math.max(horizon.records, rv);
    lookAt(() -> agenda.nextQuiet(horizon.records));
  }

  // ---- work

  private void startOrLookAtAll(long now) {
    if (!nodesListed || !recordsListed) {
      return;
    }
    nextResync = now + limits.resync().toMillis();
    lookAtAll();
  }

  /** In the order of urgency, also those for which there is room at once. */
  private void lookAtAll() {
    slots.values().forEach(desk::queue);
  }

  private void done(Effect.Request request, Outcome outcome) {
    Slot slot = slot(request.node());
    replies.done(slot, request, outcome);
    consider(slot);
  }

  private void consider(Slot slot) {
    if (nodesListed && recordsListed) {
      desk.consider(slot);
    }
    if (slot.forgettable(horizon.nodes)) {
      slots.remove(slot.name);
    }
    slot.rest();
  }

  private void workOff(long now) {
    if (nextResync != 0 && now >= nextResync) {
      nextResync = now + limits.resync().toMillis();
      round.begin(slots.keySet());
    }
    if (duty.catchUp(now)) {
      lookAtAll();
    }
    lookAt(() -> agenda.nextDue(now));
    lookAt(() -> outbox.hasRoom() ? waiting.next() : null);
    round.goOn();
    lookAt(() -> outbox.hasRoom() ? round.next() : null);
  }

  private void lookAt(Supplier<@Nullable String> names) {
    for (String name = names.get(); name != null; name = names.get()) {
      Slot slot = slots.get(name);
      if (slot != null) {
        consider(slot);
      }
    }
  }

  private Slot slot(String name) {
    return slots.computeIfAbsent(name, Slot::new);
  }
}
