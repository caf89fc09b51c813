package dev.nodekeeper.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
            line(
                """
                {"type":"MODIFIED","object":{"kind":"Node","metadata":{"name":"gpu-1",
                "resourceVersion":"17","labels":{"acme.com/asset":"A1"},
                "annotations":{"acme.com/plain":"p-7"},"managedFields":[{"name":"no"}]}}}
                """));
    assertThat(event).isEqualTo(new Event("MODIFIED", "gpu-1", "17", true, "p-7", 0));
  }

  @Test
  @DisplayName("of a node that has only its kubelet's labels: not restored")
  void bare() throws IOException {
    var event =
        Event.ofNode(
            line(
                """
                {"type":"ADDED","object":{"metadata":{"name":"gpu-1","resourceVersion":"17",
                "labels":{"kubernetes.io/os":"linux"},"managedFields":[{"name":"no"}]}}}
                """));
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
    var line = line("{\"type\":\"ERROR\",\"object\":{\"code\":410}}");
    assertThatThrownBy(() -> Event.ofNode(line)).hasMessageContaining("410");
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
