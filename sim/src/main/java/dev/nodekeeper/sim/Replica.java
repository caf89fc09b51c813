package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Keeper;
import dev.nodekeeper.core.keep.Limits;
import dev.nodekeeper.core.keep.Moment;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.keep.Shares;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The real Keeper behind two lagging watches and a slow, lossy wire. */
final class Replica {
  final String name;
  final Role role;
  final Policy policy;
  private final ApiServer server;
  private final boolean narrow;
  private final Supplier<String> nonces;
  private final @Nullable Story story;

  private Keeper keeper;
  private Shares shares = Shares.ALL;
  private int nodePosition;
  private int recordPosition;
  private int listedNodes;
  private int listedRecords;
  private long bookmarked;
  private long recordsSeen;

  /** What was deleted before it started has left no trace in it. */
  private long started;

  private final Deque<Pending> toSend = new ArrayDeque<>();
  private final Deque<Input> replies = new ArrayDeque<>();

  /** How far its clock is ahead. */
  long ahead;

  /** Stands still until then; 0 when it runs. */
  long pausedUntil;

  /**
   * A request, with what its sender knew of the record when it was made.
   *
   * @param deletionKnown the newest deletion
   * @param record the newest news; null for none, or for a deletion
   */
  record Pending(
      Replica sender,
      Effect.Request request,
      long deletionKnown,
      @Nullable Stored record,
      long madeAt) {}

  private final Map<String, Long> deletionsKnown = new HashMap<>();
  private final Map<String, Stored> recordNews = new HashMap<>();

  /** What the watches have shown since the last list. */
  final List<Input> delivered = new ArrayList<>();

  // ---- for the checks

  /** The revision since which it has missed nothing. */
  long completeSince;

  /** The newest view of each name. */
  final Map<String, NodeState> views = new HashMap<>();

  /** Keys of the living incarnation whose change it cannot have noticed, with its revision. */
  final Map<String, Map<Key, Long>> hidden = new HashMap<>();

  /** By name, the life that it found without the marker that it once had. */
  final Map<String, String> unmarked = new HashMap<>();

  /** The last revision at which it saw a life whose end it was not shown, by uid. */
  private final Map<String, Long> endsMissed = new HashMap<>();

  /** Whether the change of a key of the living incarnation at that revision was hidden from it. */
  boolean cannotKnow(String node, Key key, long rv) {
    return hidden.getOrDefault(node, Map.of()).getOrDefault(key, 0L) >= rv;
  }

  /** Whether a forget was before or after that life is known up to this revision. */
  long lastSightOf(String uid) {
    return endsMissed.getOrDefault(uid, Long.MAX_VALUE);
  }

  Replica(
      String name,
      Role role,
      ApiServer server,
      Policy policy,
      boolean narrow,
      Supplier<String> nonces,
      @Nullable Story story) {
    this.name = name;
    this.role = role;
    this.server = server;
    this.policy = policy;
    this.narrow = narrow;
    this.nonces = nonces;
    this.story = story;
    this.keeper = new Keeper(policy, Limits.DEFAULT, role);
  }

  Shares shares() {
    return shares;
  }

  boolean owns(String node) {
    return shares.mine().containsKey(Shares.shard(node, shares.count()));
  }

  // ---- steps

  void share(Shares next) {
    shares = next;
    on(new Input.Shared(next));
  }

  /** Consistent, and complete up to now. */
  void list() {
    delivered.clear();
    on(new Input.NodeListStarted());
    nodePosition = server.nodeLog.size();
    listedNodes = nodePosition;
    List<NodeState> nodes = server.listNodes();
    views.clear();
    nodes.forEach(node -> views.put(node.name(), node));
    on(new Input.NodesListed(nodes, server.rv()));
    recordPosition = server.recordLog.size();
    listedRecords = recordPosition;
    List<Stored> records = server.listRecords();
    Map<String, Stored> known = Map.copyOf(recordNews);
    recordNews.clear();
    records.forEach(record -> recordNews.put(record.node(), record));
    known.forEach(
        (node, before) -> {
          // Another object in its place does not tell when the old one went; and an empty one may
          // have been cleaned up, for all that it knows.
          boolean empty = before instanceof NodeRecord record && record.spent();
          if (!recordNews.containsKey(node) && !empty) {
            deletionsKnown.put(node, server.rv());
          }
        });
    on(new Input.RecordsListed(records, server.rv()));
    completeSince = server.rv();
    bookmarked = server.rv();
    recordsSeen = server.rv();
  }

  /** Gives what it had not sent yet. */
  List<Pending> crash() {
    List<Pending> unsent = List.copyOf(toSend);
    keeper = new Keeper(policy, Limits.DEFAULT, role);
    deletionsKnown.clear();
    recordNews.clear();
    started = server.rv();
    views.clear();
    hidden.clear();
    unmarked.clear();
    toSend.clear();
    replies.clear();
    pausedUntil = 0;
    return unsent;
  }

  /** The API server went away: every request fails, and what was seen may never have been. */
  void cutOff() {
    List<Input> unread = List.copyOf(replies);
    replies.clear();
    unread.forEach(reply -> replies.add(unknown(requestOf(reply), "cut", 0)));
    for (Pending p = nextToSend(); p != null; p = nextToSend()) {
      replies.add(unknown(p.request(), "cut", 0));
    }
    views.clear();
    hidden.clear();
    unmarked.clear();
    endsMissed.clear();
    deletionsKnown.clear();
    recordNews.clear();
    started = 0;
    pausedUntil = 0;
  }

  private static Effect.Request requestOf(Input reply) {
    return switch (reply) {
      case Input.Done(var request, _) -> request;
      case Input.NodeRead(var request, _) -> request;
      case Input.RecordRead(var request, _) -> request;
      default -> throw new AssertionError(reply);
    };
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
    switch (input) {
      case Input.NodeAdded(NodeState node) -> views.put(node.name(), node);
      case Input.NodeModified(NodeState node) -> views.put(node.name(), node);
      case Input.NodeDeleted(NodeState node) -> {
        views.remove(node.name());
        hidden.remove(node.name());
      }
      case Input.RecordSeen(Stored record) -> {
        recordsSeen = record.origin().rv();
        Stored known = recordNews.get(record.node());
        if (known == null || known.origin().rv() < recordsSeen) {
          recordNews.put(record.node(), record);
        }
      }
      case Input.RecordDeleted(String node, long rv) -> {
        recordsSeen = rv;
        deletionsKnown.put(node, rv);
        Stored known = recordNews.get(node);
        if (known != null && known.origin().rv() < rv) {
          recordNews.remove(node);
        }
      }
      default -> {}
    }
    delivered.add(input);
    on(input);
  }

  /** The watches go back a little and show it again. */
  boolean rewind(int events) {
    int nodes = Math.max(listedNodes, nodePosition - events);
    int records = Math.max(listedRecords, recordPosition - events);
    boolean any = nodes != nodePosition || records != recordPosition;
    for (int i = nodes; i < nodePosition; i++) {
      on(server.nodeLog.get(i).input());
    }
    for (int i = records; i < recordPosition; i++) {
      on(server.recordLog.get(i).input());
    }
    return any;
  }

  /** Where the next two events are the end of a life and the next one of the same name. */
  boolean coalesce() {
    if (nodePosition + 2 <= server.nodeLog.size()
        && server.nodeLog.get(nodePosition).input() instanceof Input.NodeDeleted(NodeState old)
        && server.nodeLog.get(nodePosition + 1).input() instanceof Input.NodeAdded(NodeState next)
        && old.name().equals(next.name())) {
      nodePosition += 2;
      hidden.remove(old.name());
      NodeState seen = views.get(old.name());
      endsMissed.put(old.uid(), seen == null ? 0 : seen.rv());
      deliver(new Input.NodeModified(next));
      return true;
    }
    return false;
  }

  void bookmark() {
    if (bookmarked == server.rv()) {
      return;
    }
    if (nodePosition == server.nodeLog.size()) {
      on(new Input.NodeProgress(server.rv()));
    }
    if (recordPosition == server.recordLog.size()) {
      on(new Input.RecordProgress(server.rv()));
    }
    if (nodePosition == server.nodeLog.size() && recordPosition == server.recordLog.size()) {
      bookmarked = server.rv();
    }
  }

  /** When the oldest event happened that it has not seen. */
  long oldestUnseen() {
    return Math.min(at(server.nodeLog, nodePosition), at(server.recordLog, recordPosition));
  }

  private static long at(List<ApiServer.Event> log, int position) {
    return position < log.size() ? log.get(position).at() : Long.MAX_VALUE;
  }

  @Nullable Pending nextToSend() {
    return toSend.poll();
  }

  @Nullable Pending peekToSend() {
    return toSend.peek();
  }

  void answer(Input reply) {
    replies.add(reply);
  }

  static Input unknown(Effect.Request request, String why, long retryAfter) {
    return new Input.Done(request, new Outcome.Unknown(why, retryAfter));
  }

  boolean reply() {
    Input reply = replies.poll();
    if (reply == null) {
      return false;
    }
    switch (reply) {
      case Input.RecordRead(_, var stored) -> stored.ifPresent(this::learn);
      case Input.Done(Effect.UpdateRecord request, Outcome.Ok(var origin)) ->
          learn(request.record().storedAs(origin));
      case Input.Done(Effect.CreateRecord request, Outcome.Ok(var origin)) ->
          learn(request.record().storedAs(origin));
      default -> {}
    }
    on(reply);
    return true;
  }

  /** Of what the watch has passed already, it knows better. */
  private void learn(Stored record) {
    if (record.origin().rv() > recordsSeen) {
      recordNews.put(record.node(), record);
    }
  }

  long now() {
    return server.millis + ahead;
  }

  void tick() {
    if (keeper.nextDue().orElse(Long.MAX_VALUE) <= now()) {
      on(new Input.Tick());
    }
  }

  /** On the common clock. */
  long nextDue() {
    return keeper.nextDue().orElse(Long.MAX_VALUE / 2) - ahead;
  }

  boolean idle() {
    return toSend.isEmpty() && replies.isEmpty() && keeper.counts().inFlight() == 0;
  }

  /** Hands it an input and says whether requests follow. */
  boolean on(Input input) {
    Input as = narrow ? narrowed(input) : input;
    if (story != null && worthTelling(input)) {
      story.tell(name, Story.of(as));
    }
    boolean any = false;
    for (Effect effect : keeper.on(as, new Moment(now(), now(), nonces))) {
      if (effect instanceof Effect.Request request) {
        any = true;
        Promises.check(onDuty(request), Invariant.DUTY, name + ", " + role + ": " + request);
        long deletion = Math.max(started, deletionsKnown.getOrDefault(request.node(), 0L));
        toSend.add(
            new Pending(this, request, deletion, recordNews.get(request.node()), server.millis));
      }
      boolean told = !(effect instanceof Effect.Recall(var request)) || recall(request);
      if (story != null && told) {
        story.tell(name, (effect instanceof Effect.Request ? "  wants " : "  ") + Story.of(effect));
      }
    }
    return any;
  }

  /** False when it came too late. */
  private boolean recall(Effect.Request request) {
    boolean unsent = toSend.removeIf(pending -> pending.request() == request);
    if (unsent) {
      replies.add(new Input.Done(request, new Outcome.NotSent()));
    }
    return unsent;
  }

  private boolean onDuty(Effect.Request request) {
    boolean ofItsRole =
        switch (request) {
          case Effect.PatchNode _ -> role != Role.CAPTURE;
          case Effect.CreateRecord _, Effect.UpdateRecord _, Effect.DeleteRecord _ ->
              role != Role.RESTORE;
          case Effect.ReadNode _, Effect.ReadRecord _ -> true;
        };
    return ofItsRole && (!request.ownersOnly() || owns(request.node()));
  }

  private static boolean worthTelling(Input input) {
    return !(input instanceof Input.Tick || input instanceof Input.NodeListStarted);
  }

  private Input narrowed(Input input) {
    return switch (input) {
      case Input.NodesListed(var nodes, long rv) ->
          new Input.NodesListed(nodes.stream().map(this::narrow).toList(), rv);
      case Input.NodeAdded(NodeState node) -> new Input.NodeAdded(narrow(node));
      case Input.NodeModified(NodeState node) -> new Input.NodeModified(narrow(node));
      case Input.NodeDeleted(NodeState node) -> new Input.NodeDeleted(narrow(node));
      case Input.NodeRead(var request, var node) ->
          new Input.NodeRead(request, node.map(this::narrow));
      default -> input;
    };
  }

  private NodeState narrow(NodeState state) {
    return NodeJson.narrow(state, policy);
  }
}
