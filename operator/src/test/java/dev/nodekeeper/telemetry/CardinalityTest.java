package dev.nodekeeper.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.config.LogFormat;
import dev.nodekeeper.config.LogLevel;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Keeper;
import dev.nodekeeper.core.keep.Limits;
import dev.nodekeeper.core.keep.Moment;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A real Keeper and its lives, without a server: what is scraped in the end. */
@DisplayName("How many series there are")
class CardinalityTest {
  private static final int MOST = 400;

  static {
    // Two lines for each node are not what is looked at here.
    Logging.configure(LogLevel.ERROR, LogFormat.TEXT);
  }

  private final Metrics metrics = new Metrics();
  private final Reporter reporter = new Reporter(metrics, _ -> {});
  private final Keeper keeper = new Keeper(Policy.DEFAULT, Limits.DEFAULT, Role.ALL);
  private final Queue<Effect.Request> asked = new ArrayDeque<>();
  private final Set<String> troubled = new HashSet<>();
  private long rv = 1;
  private long millis = 1_000_000;

  @Test
  @DisplayName("depends on nothing that nodes are called or carry: 10,000 of them, as with 50")
  void bounded() {
    Set<String> few = new CardinalityTest().live(50);
    Set<String> many = live(10_000);
    assertThat(many).isEqualTo(few).hasSizeLessThan(MOST);
    assertThat(metrics.scrape()).doesNotContain("host-", "team-");
  }

  private Set<String> live(int nodes) {
    give(new Input.NodeListStarted());
    give(new Input.NodesListed(List.of(), rv));
    give(new Input.RecordsListed(List.of(), rv));
    for (int life = 0; life < 2; life++) {
      for (int i = 0; i < nodes; i++) {
        NodeState bare = node(i, life, Map.of());
        give(new Input.NodeAdded(bare));
        give(new Input.NodeModified(node(i, life, Map.of("team-" + i, "team-" + i))));
        millis += 100;
        give(new Input.Tick());
        give(new Input.NodeDeleted(node(i, life, Map.of("team-" + i, "team-" + i))));
      }
    }
    for (int i = 0; i < 60; i++) {
      millis += 10_000;
      give(new Input.Tick());
    }
    metrics.counts(keeper.counts());
    assertThat(keeper.counts().owned().get(State.AWAY)).isGreaterThan(nodes / 2);
    return metrics
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .filter(series -> series.startsWith("nodekeeper_"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private NodeState node(int i, int life, Map<String, String> labels) {
    List<Taint> taints = List.of(new Taint("team-" + i, "a", "NoSchedule"));
    return new NodeState(
        "host-" + i,
        "uid-" + i + "-" + life,
        ++rv,
        false,
        Content.of(labels, taints),
        taints,
        null,
        null,
        Identity.NONE,
        true,
        false,
        0);
  }

  private void give(Input input) {
    take(input);
    for (Effect.Request request = asked.poll(); request != null; request = asked.poll()) {
      Input answer =
          switch (request) {
            case Effect.ReadNode read -> new Input.NodeRead(read, Optional.empty());
            case Effect.ReadRecord read -> new Input.RecordRead(read, Optional.empty());
            default -> new Input.Done(request, outcome(request.node()));
          };
      metrics.responded(request, 200 + asked.size());
      metrics.requested(request, answer, 1000);
      take(answer);
    }
  }

  /** Many names are in trouble the first time that something is asked for them. */
  private Outcome outcome(String node) {
    int trouble = troubled.add(node) ? Math.floorMod(node.hashCode(), 5) : 4;
    return switch (trouble) {
      case 0 -> new Outcome.Conflict(node);
      case 1 -> new Outcome.Unknown(node, 0);
      case 2 -> new Outcome.Refused(403, node);
      default -> new Outcome.Ok(new Origin("cm", ++rv, ""));
    };
  }

  private void take(Input input) {
    for (Effect effect :
        keeper.on(input, new Moment(millis, millis, () -> "0123456789012345678901" + rv))) {
      switch (effect) {
        case Effect.Request request -> asked.add(request);
        case Effect.Report report -> reporter.accept(report);
        case Effect.Recall _ -> {}
      }
    }
  }
}
