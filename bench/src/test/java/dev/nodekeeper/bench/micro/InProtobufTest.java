package dev.nodekeeper.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.read.Wire;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The node that JMH reads")
final class InProtobufTest {
  @Test
  @DisplayName("says in protobuf what it says in JSON, in the size that a real one has")
  void same() throws Exception {
    var material = new Material();
    var json = material.labelled("u1", 500);

    var wire = Material.inProtobuf(json);

    assertThat(material.reader().read(Wire.open(wire))).isEqualTo(material.reader().read(json));
    assertThat((double) wire.length / json.length).isBetween(0.6, 0.95);
  }
}
