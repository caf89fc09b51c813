package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Counts;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Keeper;
import dev.nodekeeper.core.keep.Limits;
import dev.nodekeeper.core.keep.Moment;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The real Keeper behind two lagging watches and a slow, lossy wire. */
final class Replica {
  private final String name;
  private final ApiServer server;
  private final Policy policy;
  private final Supplier<Moment> clock;
  private final Consumer<String> log;

  private Keeper keeper;
  private int nodePosition;
  private int recordPosition;
  private final Deque<Pending> toSend = new ArrayDeque<>();
  private final Deque<Input> replies = new ArrayDeque<>();

  /** A request, and the newest deletion of its record that was known when it was made. */
  record Pending(Effect.Request request, long deletionKnown) {}

  private final Map<String, Long> deletionsKnown = new HashMap<>();

  /** What the watches have shown since the last list. */
  final List<Input> delivered = new ArrayList<>();

  /** It missed events: it was restarted, or its watch was cut. */
  boolean lossy;

  Replica(
      String name, ApiServer server, Policy policy, Supplier<Moment> clock, Consumer<String> log) {
    this.name = name;
    this.server = server;
    this.policy = policy;
    this.clock = clock;
    this.log = log;
    this.keeper = new Keeper(policy, Limits.DEFAULT);
    list();
  }

  // ---- steps

  void list() {
    log.accept(name + " lists");
    delivered.clear();
    on(new Input.NodeListStarted());
    nodePosition = server.nodeLog.size();
    on(new Input.NodesListed(server.listNodes(), server.rv()));
    recordPosition = server.recordLog.size();
    on(new Input.RecordsListed(server.listRecords(), server.rv()));
  }

  void restart() {
    log.accept(name + " restarts");
    lossy = true;
    keeper = new Keeper(policy, Limits.DEFAULT);
    deletionsKnown.clear();
    toSend.clear();
    replies.clear();
    list();
  }

  /** 410: what happened in between is not shown. */
  void watchCut() {
    lossy = true;
    list();
  }

  boolean nodeEvent() {
    if (nodePosition == server.nodeLog.size()) {
      return false;
    }
    deliver(server.nodeLog.get(nodePosition++).input());
    return true;
  }

  boolean recordEvent() {
    if (recordPosition == server.recordLog.size()) {
      return false;
    }
    deliver(server.recordLog.get(recordPosition++).input());
    return true;
  }

  private void deliver(Input input) {
    delivered.add(input);
    on(input);
  }

  void bookmark() {
    if (nodePosition == server.nodeLog.size()) {
      on(new Input.NodeProgress(server.rv()));
    }
    if (recordPosition == server.recordLog.size()) {
      on(new Input.RecordProgress(server.rv()));
    }
  }

  boolean send(Wire wire) {
    Pending pending = toSend.poll();
    if (pending == null) {
      return false;
    }
    Effect.Request request = pending.request();
    if (wire != Wire.REQUEST_LOST) {
      server.sent(pending);
    }
    Input reply = wire == Wire.REQUEST_LOST ? cut(request) : server.perform(request);
    log.accept(name + " sends " + brief(request) + " -> " + wire + " " + brief(reply));
    replies.add(wire == Wire.REPLY_LOST ? cut(request) : reply);
    return true;
  }

  enum Wire {
    FINE,
    REQUEST_LOST,
    REPLY_LOST
  }

  private static Input cut(Effect.Request request) {
    return new Input.Done(request, new Outcome.Unknown("cut", 0));
  }

  boolean reply() {
    Input reply = replies.poll();
    if (reply == null) {
      return false;
    }
    on(reply);
    return true;
  }

  void tick() {
    on(new Input.Tick());
  }

  OptionalLong nextDue() {
    return keeper.nextDue();
  }

  boolean busy() {
    return !toSend.isEmpty() || !replies.isEmpty();
  }

  Counts counts() {
    return keeper.counts();
  }

  /** Hands it an input and gives the requests that follow. */
  List<Effect.Request> on(Input input) {
    if (input instanceof Input.RecordDeleted(String node, long rv)) {
      deletionsKnown.put(node, rv);
    }
    List<Effect.Request> requests = new ArrayList<>();
    for (Effect effect : keeper.on(input, clock.get())) {
      if (effect instanceof Effect.Request request) {
        requests.add(request);
      }
    }
    requests.forEach(r -> toSend.add(new Pending(r, deletionsKnown.getOrDefault(r.node(), 0L))));
    boolean news =
        !(input instanceof Input.Tick
            || input instanceof Input.NodeProgress
            || input instanceof Input.RecordProgress);
    if (news || !requests.isEmpty()) {
      log.accept(name + " <- " + brief(input) + requests.stream().map(Replica::brief).toList());
    }
    return requests;
  }

  private static String brief(Object o) {
    String text =
        switch (o) {
          case Effect.UpdateRecord u -> "Update(" + u.purpose() + " " + u.record().current() + ")";
          case Effect.CreateRecord c -> "Create(" + c.record().current() + ")";
          case Effect.PatchNode p -> "Patch(" + p.purpose() + " " + p.body() + ")";
          case Effect.DeleteRecord d -> "Delete(" + d.record().origin().rv() + ")";
          case Input.NodeAdded(var n) -> "ADDED " + state(n);
          case Input.NodeModified(var n) -> "MODIFIED " + state(n);
          case Input.NodeDeleted(var n) -> "DELETED " + state(n);
          case Input.RecordSeen(var r) -> "RECORD " + r.origin().rv();
          case Input.Done(var r, var outcome) -> outcome.toString();
          default -> o.toString();
        };
    return text.length() > 400 ? text.substring(0, 400) + "..." : text;
  }

  private static String state(dev.nodekeeper.core.model.NodeState n) {
    return n.name() + "/" + n.uid() + "@" + n.rv() + n.content() + " marker=" + n.marker();
  }
}
