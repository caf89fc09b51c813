package dev.nodekeeper.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the bench reads off a watch, and how it sums up")
final class MeasureTest {

  private static byte[] line(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("of a node: type, name, people's label, plain annotation, and nothing behind them")
  void node() throws IOException {
    var event =
        Event.ofNode(
            node(
                "MODIFIED",
                entry(11, "acme.com/asset", "A1"),
                entry(12, "acme.com/plain", "p-7"),
                field(13, text(1, "no"))));
    assertThat(event).isEqualTo(new Event("MODIFIED", "gpu-1", "17", true, "p-7", 0));
  }

  @Test
  @DisplayName("of a node that has only its kubelet's labels: not restored")
  void bare() throws IOException {
    var event = Event.ofNode(node("ADDED", entry(11, "kubernetes.io/os", "linux")));
    assertThat(event).isEqualTo(new Event("ADDED", "gpu-1", "17", false, "", 0));
  }

  @Test
  @DisplayName("of a record: the ticket in record.json, not an older one in state.json")
  void ticket() throws IOException {
    var event =
        Event.ofRecord(
            line(
                """
                {"type":"ADDED","object":{"metadata":{"name":"gpu-1","resourceVersion":"18"},
                "data":{"record.json":"{\\"labels\\" : { \\"acme.com/ticket\\" : \\"t-100007\\"}}",
                "state.json":"{\\"acme.com/ticket\\":\\"t-100001\\"}"}}}
                """));
    assertThat(event).isEqualTo(new Event("ADDED", "gpu-1", "18", false, "", 100007));
  }

  @Test
  @DisplayName("an error on the watch is no event")
  void error() {
    var record = line("{\"type\":\"ERROR\",\"object\":{\"code\":410}}");
    assertThatThrownBy(() -> Event.ofRecord(record)).hasMessageContaining("410");
    var node = event("ERROR", text(3, "too old"));
    assertThatThrownBy(() -> Event.ofNode(node)).hasMessageContaining("too old");
  }

  private static byte[] node(String type, byte[]... metadata) {
    return event(
        type, field(1, text(1, "gpu-1"), text(6, "17"), joined(metadata)), field(3, text(1, "?")));
  }

  private static byte[] event(String type, byte[]... object) {
    byte[] envelope = joined(line("k8s\0"), field(1, text(2, "Any")), field(2, object));
    return joined(text(1, type), field(2, field(1, envelope)));
  }

  private static byte[] entry(int number, String key, String value) {
    return field(number, text(1, key), text(2, value));
  }

  private static byte[] text(int number, String value) {
    return field(number, line(value));
  }

  /** Protobuf of what is short. */
  private static byte[] field(int number, byte[]... parts) {
    byte[] value = joined(parts);
    assertThat(value.length).isLessThan(128);
    return joined(new byte[] {(byte) (number << 3 | 2), (byte) value.length}, value);
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Test
  @DisplayName("percentiles of what was measured; seen before its reply counts as no time")
  void percentiles() {
    var samples = new Samples();
    for (int i = 1; i <= 100; i++) {
      samples.add(1_000_000_000L, 1_000_000_000L + i * 1_000_000L);
    }
    assertThat(samples.percentile(0.5)).isEqualTo(51);
    assertThat(samples.percentile(0.99)).isEqualTo(100);
    assertThat(samples.percentile(1)).isEqualTo(100);
    samples.add(5, 1);
    assertThat(samples.percentile(0)).isZero();
    assertThat(new Samples().percentile(0.5)).isNaN();
  }
}
