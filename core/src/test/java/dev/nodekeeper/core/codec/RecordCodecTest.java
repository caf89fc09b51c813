package dev.nodekeeper.core.codec;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.taint;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.model.Taint;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A record as a ConfigMap")
class RecordCodecTest {
  private static final Origin ORIGIN = new Origin("cm", 6, "");

  private static final NodeRecord FULL =
      record()
          .gen(7)
          .uid("u1")
          .rv(8123)
          .label("team.example/owner", "vision")
          .taint("dedicated", "vision")
          .taint(new Taint("gone", "", "NoExecute"))
          .annotation("note", "tab\t quote\" \u0001 \u00fc \ud83d\ude00")
          .cordon()
          .machine("aws:///1")
          .late(Key.label("team"), 4)
          .withheld(label("node-role.kubernetes.io/x"), annotation("y"))
          .older(6, "u0", 20, things().label("a", "b"))
          .older(5, "", 0, things())
          .build();

  private static Stored read(Map<String, String> data) {
    return RecordCodec.read(Given.NAME, ORIGIN, data);
  }

  private static Map<String, String> only(String recordJson) {
    return Map.of(RecordCodec.RECORD, recordJson.replace('\'', '"'));
  }

  private static NodeRecord readable(Map<String, String> data) {
    assertThat(read(data)).isInstanceOf(NodeRecord.class);
    return (NodeRecord) read(data);
  }

  private static void assertUnreadable(Map<String, String> data, Defect defect) {
    Stored stored = read(data);
    assertThat(stored).isInstanceOf(Unreadable.class);
    assertThat(((Unreadable) stored).defect()).isEqualTo(defect);
    assertThat(((Unreadable) stored).detail()).isNotBlank().doesNotContain("\n");
    assertThat(stored.origin()).isEqualTo(ORIGIN);
  }

  @Test
  @DisplayName("is read back as it was written")
  void roundTrip() {
    assertThat(read(RecordCodec.write(FULL))).isEqualTo(FULL);
    assertThat(RecordCodec.write(readable(RecordCodec.write(FULL))))
        .isEqualTo(RecordCodec.write(FULL));
  }

  @Test
  @DisplayName("is not edited as long as only white space, order or capturedAt differ")
  void notEdited() {
    Map<String, String> data = new HashMap<>(RecordCodec.write(FULL));
    assertThat(readable(data).edited()).isFalse();
    data.compute(
        RecordCodec.RECORD,
        (k, v) -> v.replace("\n", " \n\t").replace("2026-01-01T00:00:00Z", "whenever"));
    assertThat(readable(data).edited()).isFalse();
    data.compute(RecordCodec.RECORD, (k, v) -> v.replace("vision", "sound"));
    assertThat(readable(data).edited()).isTrue();
  }

  @Test
  @DisplayName("has a record.json for people: lines, no trailing blanks, a newline at the end")
  void pretty() {
    String text = String.valueOf(RecordCodec.write(FULL).get(RecordCodec.RECORD));
    assertThat(text).endsWith("}\n").doesNotContain("\r").contains("  \"node\": \"gpu-17\"");
    assertThat(text.lines()).allMatch(line -> line.equals(line.stripTrailing()));
    assertThat(text).doesNotContain("nonce", "uid");
    assertThat(RecordCodec.write(FULL)).isEqualTo(RecordCodec.write(FULL));
  }

  @Test
  @DisplayName("keeps fields that it does not know, in both parts, over a rewrite")
  void unknownFields() {
    Map<String, String> data = new HashMap<>(RecordCodec.write(FULL));
    data.compute(
        RecordCodec.RECORD, (k, v) -> "{\"owner\": {\"deep\": [1, \"x\", null]}," + v.substring(1));
    data.compute(
        RecordCodec.STATE, (k, v) -> "{\"future\": 12345678901234567890.5," + v.substring(1));
    NodeRecord read = readable(data);
    Map<String, String> again = RecordCodec.write(read);
    assertThat(again.get(RecordCodec.RECORD)).contains("\"owner\"").contains("\"deep\"");
    assertThat(again.get(RecordCodec.STATE)).contains("\"future\":12345678901234567890.5");
    assertThat(readable(again)).isEqualTo(read);
    NodeRecord next =
        read.next(
            new NodeRecord.Draft(read.content(), "u2", 9, read.identity(), read.withheld()),
            Given.nonce(8),
            "now",
            4);
    assertThat(RecordCodec.write(next).get(RecordCodec.STATE)).contains("\"future\"");
  }

  @Test
  @DisplayName("with only a valid record.json is a pre-seeded record")
  void preSeeded() {
    NodeRecord seeded = readable(only("{'labels': {'team': 'a'}}"));
    assertThat(seeded.content()).isEqualTo(things().label("team", "a").content());
    assertThat(seeded.edited()).isTrue();
    assertThat(seeded.uid()).isEmpty();
    assertThat(readable(only("{}")).content()).isEqualTo(Content.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "7",
        "'text'",
        "{",
        "{'labels': }",
        "{'labels': {}} trailing",
        "{} {}",
        "{'labels': []}",
        "{'labels': 'x'}",
        "{'taints': {}}",
        "{'annotations': [1]}",
        "{'labels': {'a': '1', 'a': '2'}}",
        "{'node': 'gpu-17', 'node': 'gpu-17'}",
        "{'a': NaN}",
        "{'a': 1e9999999999}",
        "{/*c*/}",
        "labels: {}"
      })
  @DisplayName("that is broken is inert, whatever is wrong with it")
  void broken(String json) {
    assertUnreadable(only(json), Defect.BROKEN);
  }

  @Test
  @DisplayName("that says something twice is inert, and says what")
  void twice() {
    Stored stored =
        RecordCodec.read(
            "gpu-17", new Origin("cm", 3, ""), only("{'labels': {'team': 'a', 'team': 'b'}}"));
    assertThat(stored)
        .isInstanceOfSatisfying(
            Unreadable.class,
            unreadable ->
                assertThat(unreadable.detail()).isEqualTo("bad JSON: Duplicate field 'team'"));
  }

  @Test
  @DisplayName("nested beyond reason is inert, not a stack overflow")
  void deep() {
    assertUnreadable(
        only("{'x': " + "[".repeat(100_000) + "]".repeat(100_000) + "}"), Defect.BROKEN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{'schema': 1}",
        "{'schema': 1, 'generation': 'seven'}",
        "{'schema': 1, 'generation': 1, 'resourceVersion': 'x'}",
        "{'schema': 1, 'generation': 1, 'resourceVersion': '-5'}",
        "{'schema': 1, 'generation': 99999999999999999999, 'resourceVersion': '5'}",
        "{'schema': 1, 'generation': 1000000000000001, 'resourceVersion': '5'}",
        "{'schema': 1, 'generation': -1, 'resourceVersion': '5'}",
        "{'schema': 1, 'generation': 7e10000005808, 'resourceVersion': '5'}",
        "{'schema': 'two', 'generation': 1, 'resourceVersion': '5'}",
        "{'schema': {}, 'generation': 1, 'resourceVersion': '5'}",
        "{'schema': 1, 'generation': 1, 'resourceVersion': '5', 'written': {'labels': 3}}",
        "{'schema': 1, 'generation': 1, 'resourceVersion': '5', 'versions': [{}]}"
      })
  @DisplayName("with broken bookkeeping is inert")
  void brokenState(String state) {
    Map<String, String> data = new TreeMap<>(only("{'labels': {'team': 'a'}}"));
    data.put(RecordCodec.STATE, state.replace('\'', '"'));
    assertUnreadable(data, Defect.BROKEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "99", "2147483648", "4294967297", "1e30"})
  @DisplayName("of a newer schema is inert, also when the rest is odd")
  void newerSchema(String schema) {
    Map<String, String> data = new TreeMap<>(only("{'labels': 'new form'}"));
    data.put(RecordCodec.STATE, "{\"schema\": " + schema + ", \"generation\": 1}");
    assertUnreadable(data, Defect.NEWER_SCHEMA);
  }

  @Test
  @DisplayName("of another node, or no record at all, is inert")
  void foreign() {
    assertUnreadable(only("{'node': 'gpu-18', 'labels': {}}"), Defect.OTHER_NODE);
    assertUnreadable(only("{'node': {}}"), Defect.OTHER_NODE);
    assertUnreadable(Map.of("ca.crt", "..."), Defect.NOT_A_RECORD);
    assertUnreadable(Map.of(RecordCodec.STATE, "{}"), Defect.BROKEN);
  }

  @Test
  @DisplayName("loses bad entries one by one, never the rest, and says which")
  void badEntries() {
    NodeRecord read =
        readable(
            only(
                """
                {'labels': {'team': 'a', 'list': [], 'map': {'x': 1}, 'nothing': null},
                 'annotations': {'note': 'n', 'bad': {}},
                 'taints': [{'key': 't', 'effect': 'NoSchedule', 'value': 'v'}, {'key': 'no-effect'},
                            'text', {'effect': 'NoSchedule'}, {'key': 't', 'effect': 'NoSchedule', 'value': 'w'}],
                 'unschedulable': 'yes'}
                """));
    assertThat(read.content())
        .isEqualTo(things().label("team", "a").annotation("note", "n").taint("t", "v").content());
    assertThat(read.notes()).hasSizeGreaterThanOrEqualTo(8);
  }

  @Test
  @DisplayName("does not turn a taint with a nonsense value into one without a value")
  void taintValue() {
    NodeRecord read =
        readable(only("{'taints': [{'key': 't', 'effect': 'NoSchedule', 'value': {'x': 1}}]}"));
    assertThat(read.content().get(taint("t"))).isNull();
    assertThat(read.notes()).isNotEmpty();
  }

  @Test
  @DisplayName("notes what no node could take, and keeps it for its author")
  void illegal() {
    NodeRecord read = readable(only("{'labels': {'bad key': 'x', 'ok': 'not ok!', 'team': 'a'}}"));
    assertThat(read.notes()).hasSize(2);
    assertThat(read.content().get(label("bad key"))).isEqualTo("x");
    assertThat(read.content().get(label("team"))).isEqualTo("a");
  }

  @Test
  @DisplayName("fits into 1 MiB: old versions go first, the oldest of them first, content never")
  void fits() {
    Given.Things big = things().annotation("big", "x".repeat(200_000));
    NodeRecord record =
        record()
            .gen(9)
            .annotation("big", "y".repeat(200_000))
            .taint("t", "v")
            .older(8, "u8", 8, big)
            .older(7, "u7", 7, big)
            .older(6, "u6", 6, big)
            .older(5, "u5", 5, big)
            .build();
    Map<String, String> data = RecordCodec.write(record);
    int bytes = data.entrySet().stream().mapToInt(e -> utf8(e.getKey()) + utf8(e.getValue())).sum();
    assertThat(bytes).isLessThanOrEqualTo(1_048_576);
    NodeRecord read = readable(data);
    assertThat(read.content()).isEqualTo(record.content());
    assertThat(read.edited()).isFalse();
    assertThat(read.versions()).extracting(v -> v.generation()).containsExactly(8L, 7L, 6L);
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  @Test
  @DisplayName(
      "counts generations, keeps 4 older versions, and when the last 32 keys went that are gone")
  void bounds() {
    NodeRecord record = NodeRecord.none(Given.NAME);
    for (int i = 1; i <= 40; i++) {
      Content content = things().label("n", "" + i).content();
      record =
          record.next(
              new NodeRecord.Draft(
                  content,
                  "u" + i,
                  i,
                  record.identity(),
                  java.util.Set.of(),
                  java.util.Map.of(Key.label("n"), (long) i, Key.label("gone-" + i), (long) i)),
              Given.nonce(i),
              "now",
              4);
      assertThat(record.generation()).isEqualTo(i);
    }
    assertThat(record.versions())
        .extracting(v -> v.generation())
        .containsExactly(39L, 38L, 37L, 36L);
    assertThat(record.words().keys())
        .hasSize(33)
        .containsEntry(Key.label("n"), 40L)
        .containsKeys(Key.label("gone-40"), Key.label("gone-9"))
        .doesNotContainKey(Key.label("gone-8"));
    assertThat(record.words().gone()).isEqualTo(8);
    assertThat(record.content().get(Key.label("n"))).isEqualTo("40");
  }
}
