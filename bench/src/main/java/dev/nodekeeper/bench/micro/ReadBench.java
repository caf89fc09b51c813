package dev.nodekeeper.bench.micro;

import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.read.RecordReader;
import dev.nodekeeper.read.Wire;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Bytes to views and back: the codec, and the parser of nodes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ReadBench {
  private final Material material = new Material();
  private final NodeReader reader = material.reader();
  private final byte[] node = material.labelled("u1", 500);
  private final byte[] wire = Material.inProtobuf(node);
  private final NodeRecord record =
      Material.record(material.state(node), material.state(material.edited("u1", 600)));
  private final byte[] configMap = Material.configMap(record);
  private final Map<String, String> data = RecordCodec.write(record);

  /** As lists and watches bring it. */
  @Benchmark
  public NodeState readNode() throws IOException {
    return reader.read(Wire.open(wire));
  }

  /** As the reply to a single read. */
  @Benchmark
  public NodeState readNodeInJson() throws IOException {
    return reader.read(node);
  }

  @Benchmark
  public Stored readConfigMap() throws IOException {
    return RecordReader.read(configMap);
  }

  @Benchmark
  public Stored codecRead() {
    return RecordCodec.read(record.node(), Material.ORIGIN, data);
  }

  @Benchmark
  public Map<String, String> codecWrite() {
    return RecordCodec.write(record);
  }
}
