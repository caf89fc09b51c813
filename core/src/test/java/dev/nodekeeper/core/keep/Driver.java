package dev.nodekeeper.core.keep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Drives one Keeper by hand: what goes in, in which order, and exactly what comes out. */
final class Driver {
  private static final Pattern MARKER = Pattern.compile("\\d+\\.[A-Za-z0-9_-]{43}");

  private final Keeper keeper;
  private final List<Effect.Request> out = new ArrayList<>();
  private final List<Effect.Report> reports = new ArrayList<>();
  private final List<Effect.Request> recalls = new ArrayList<>();
  private long millis = 1_000_000;
  private int nonces;

  /** The API server's clock, as a function of ours. */
  LongUnaryOperator serverMillis = ours -> ours;

  /** The record that most stories begin with. */
  static NodeRecord teamA() {
    return Given.record().gen(3).uid("u1").rv(5).at(6).label("team", "a").build();
  }

  /** Otherwise the usual ones. */
  static Limits limits(int inFlight, Duration resync, Duration forgetAfter) {
    Limits usual = Limits.DEFAULT;
    return new Limits(
        usual.settle(),
        usual.settleMax(),
        usual.emptyGrace(),
        usual.tombstoneLife(),
        usual.versions(),
        usual.restores(),
        inFlight,
        resync,
        forgetAfter);
  }

  /** Has listed nothing yet. */
  static Driver blind() {
    return new Driver(Policy.DEFAULT, Limits.DEFAULT, Role.ALL);
  }

  private Driver(Policy policy, Limits limits, Role role) {
    keeper = new Keeper(policy, limits, role);
  }

  /** Has listed: these nodes and records, at that revision. */
  static Driver started(long rv, List<NodeState> nodes, List<? extends Stored> records) {
    return started(Limits.DEFAULT, rv, nodes, records);
  }

  static Driver started(
      Limits limits, long rv, List<NodeState> nodes, List<? extends Stored> records) {
    return new Driver(Policy.DEFAULT, limits, Role.ALL).lists(rv, nodes, records);
  }

  static Driver started(Role role, long rv, List<NodeState> nodes, List<? extends Stored> records) {
    return new Driver(Policy.DEFAULT, Limits.DEFAULT, role).lists(rv, nodes, records);
  }

  private Driver lists(long rv, List<NodeState> nodes, List<? extends Stored> records) {
    on(new Input.NodeListStarted());
    on(new Input.NodesListed(nodes, rv));
    quiet(); // nothing is decided on half a picture
    return on(new Input.RecordsListed(List.copyOf(records), rv));
  }

  static Driver empty() {
    return started(1, List.of(), List.of());
  }

  /** Met nobody, and knows this record. */
  static Driver with(NodeRecord record) {
    return started(record.origin().rv(), List.of(), List.of(record));
  }

  // ---- what happens

  Driver on(Input input) {
    for (Effect effect :
        keeper.on(
            input,
            new Moment(
                millis, serverMillis.applyAsLong(millis), () -> Given.nonce(900_000 + ++nonces)))) {
      switch (effect) {
        case Effect.Request request -> out.add(request);
        case Effect.Recall recall -> recalls.add(recall.request());
        case Effect.Report report -> reports.add(report);
      }
    }
    return this;
  }

  Driver share(int count, Map<Integer, Long> mine) {
    return on(new Input.Shared(new Shares(count, mine)));
  }

  Driver added(Node node) {
    return on(new Input.NodeAdded(node.state()));
  }

  Driver modified(Node node) {
    return on(new Input.NodeModified(node.state()));
  }

  Driver deleted(Node node) {
    return on(new Input.NodeDeleted(node.state()));
  }

  Driver seen(Stored record) {
    return on(new Input.RecordSeen(record));
  }

  Driver forgotten(long rv) {
    return on(new Input.RecordDeleted(Given.NAME, rv));
  }

  Driver after(long ms) {
    millis += ms;
    return on(new Input.Tick());
  }

  Driver done(Effect.Request request, Outcome outcome) {
    return on(new Input.Done(request, outcome));
  }

  Driver ok(Effect.Request request, long rv) {
    return done(request, new Outcome.Ok(new Origin("cm", rv, "")));
  }

  Driver conflict(Effect.Request request) {
    return done(request, new Outcome.Conflict("409"));
  }

  Driver gone(Effect.Request request) {
    return done(request, new Outcome.Gone());
  }

  Driver cut(Effect.Request request) {
    return done(request, new Outcome.Unknown("cut", 0));
  }

  Driver read(Effect.Request request, Stored record) {
    return on(new Input.RecordRead((Effect.ReadRecord) request, Optional.of(record)));
  }

  /** A live look at the node; null when there is none. */
  Driver look(Effect.Request request, @Nullable Node found) {
    Optional<NodeState> node = Optional.ofNullable(found).map(Node::state);
    return on(new Input.NodeRead((Effect.ReadNode) request, node));
  }

  /** It was stored, and the watch shows it. */
  NodeRecord stored(Effect.Request request, long rv) {
    ok(request, rv);
    NodeRecord record = written(request).storedAs(new Origin("cm", rv, ""));
    seen(record);
    return record;
  }

  // ---- what comes out

  /** Exactly these requests since the last look; gives the last. */
  Effect.Request expect(String... words) {
    assertThat(out.stream().map(Driver::word).toList()).containsExactly(words);
    return take().getLast();
  }

  Driver quiet() {
    assertThat(out).isEmpty();
    return this;
  }

  Effect.PatchNode expectPatch(String word) {
    return (Effect.PatchNode) expect(word);
  }

  /** What was to stay unsent since the last look. */
  List<Effect.Request> recalled() {
    List<Effect.Request> now = List.copyOf(recalls);
    recalls.clear();
    return now;
  }

  List<Reason> reasons() {
    return reports.stream().map(Effect.Report::reason).toList();
  }

  /** What people were told, each time. */
  long told(Reason reason) {
    return reasons().stream().filter(reason::equals).count();
  }

  /** The last time that people were told so. */
  Effect.Report report(Reason reason) {
    return reports.stream()
        .filter(r -> r.reason() == reason)
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  Survey survey(Survey.Query query) {
    return keeper.survey(query);
  }

  Familiar familiar() {
    return keeper.familiar();
  }

  Counts counts() {
    return keeper.counts();
  }

  /** In how many milliseconds it wants to be woken; -1 for not at all. */
  long wakesIn() {
    return keeper.nextDue().orElse(millis - 1) - millis;
  }

  boolean busy() {
    return keeper.busy(millis);
  }

  List<String> nodesAsked() {
    List<String> names = out.stream().map(Effect.Request::node).toList();
    out.clear();
    return names;
  }

  List<Effect.Request> take() {
    List<Effect.Request> all = List.copyOf(out);
    out.clear();
    return all;
  }

  static NodeRecord written(Effect.Request request) {
    return switch (request) {
      case Effect.CreateRecord create -> create.record();
      case Effect.UpdateRecord update -> update.record();
      default -> throw new AssertionError("no record write: " + request);
    };
  }

  /** What it writes; one that it tests stands before that. */
  static String marker(Effect.PatchNode patch) {
    List<String> all = MARKER.matcher(patch.body()).results().map(MatchResult::group).toList();
    assertThat(all).as("markers in %s", patch.body()).isNotEmpty();
    return all.getLast();
  }

  private static String word(Effect.Request request) {
    return switch (request) {
      case Effect.PatchNode patch -> patch.purpose().word();
      case Effect.CreateRecord create -> create.purpose().word();
      case Effect.UpdateRecord update -> update.purpose().word();
      case Effect.DeleteRecord _ -> "delete";
      case Effect.ReadRecord _ -> "read-record";
      case Effect.ReadNode _ -> "read-node";
    };
  }
}
