package dev.nodekeeper.bench.micro;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.decide.Decider;
import dev.nodekeeper.core.decide.Decision;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.decide.NodeView;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The decisions that a node goes through, each on the same machine of the fleet. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DecideBench {
  private final Material material = new Material();
  private final NodeState first = material.state(material.labelled("u1", 500));
  private final NodeState second = material.state(material.edited("u1", 600));
  private final NodeState heartbeat = material.state(material.labelled("u1", 700));
  private final NodeState third = material.state(material.edited("u1", 800));
  private final Optional<NodeRecord> record = Optional.of(Material.record(first, second));

  private final NodeState returned = material.state(material.bare("u2", 1000));
  private final NodeState touched = material.state(material.edited("u2", 1001));
  private final NodeView inStep = NodeView.living(heartbeat, Knowledge.found(heartbeat));
  private final NodeView changed = NodeView.living(third, Knowledge.found(third));
  private final NodeView bare = NodeView.living(returned, Knowledge.registration(returned));
  private final NodeView deleted =
      NodeView.tombstone(touched, Knowledge.registration(returned).see(returned, touched));
  private final Decision.Restore restore = (Decision.Restore) decide(bare);

  private Decision decide(NodeView view) {
    return Decider.decide(view, record, Material.POLICY);
  }

  /** What a heartbeat ends in. */
  @Benchmark
  public boolean compare() {
    return second.looksLike(heartbeat);
  }

  @Benchmark
  public Decision decideInStep() {
    return decide(inStep);
  }

  @Benchmark
  public Decision decideCapture() {
    return decide(changed);
  }

  /** Record -> node. */
  @Benchmark
  public Decision mergeRestore() {
    return decide(bare);
  }

  /** The last state of a node that died before its restore -> record. */
  @Benchmark
  public Decision mergeTombstone() {
    return decide(deleted);
  }

  @Benchmark
  public String patchBody() {
    String marker = Marker.of(restore.version(), returned.uid(), "");
    return new RestorePatch(returned, restore.changes(), marker, "").mergeBody();
  }
}
