package dev.nodekeeper.core.codec;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A record that stands as we wrote it")
class VerbatimTest {
  private static final Origin ORIGIN = new Origin("cm", 6, "");

  private static final Key DEDICATED = Key.taint("dedicated", "NoSchedule");

  private final SplittableRandom random = new SplittableRandom(20_26);

  private static Given.Remembered plain() {
    return record().gen(1).uid("u1").rv(7).label("team", "a").taint("dedicated", "x");
  }

  private static List<NodeRecord> ours() {
    return Stream.of(
            record().gen(1),
            plain(),
            plain().taint(new Taint("bare", "", "NoExecute")).cordon().machine("aws:///1"),
            plain().annotation("note", "tab\t quote\" \u0001 \u00fc \ud83d\ude00"),
            plain().withheld(label("node-role.kubernetes.io/x"), annotation("y")),
            plain().late(Key.label("team"), 4).late(Key.CORDON, 5),
            plain()
                .older(6, "u0", 20, things().label("team", "b").label("rack", "1"))
                .older(5, "u1", 19, things().label("a", "b").taint("dedicated", "x").cordon())
                .older(4, "", 0, things()))
        .map(given -> given.build().storedAs(ORIGIN))
        .toList();
  }

  private static String people(NodeRecord record) {
    return String.valueOf(RecordCodec.write(record).get(RecordCodec.RECORD));
  }

  private static String state(NodeRecord record) {
    return String.valueOf(RecordCodec.write(record).get(RecordCodec.STATE));
  }

  @Test
  @DisplayName("is read without a tree, and is what the tree would say")
  void ourOwn() {
    for (NodeRecord record : ours()) {
      String people = people(record);
      String state = state(record);

      assertThat(Verbatim.read(Given.NAME, ORIGIN, people, state))
          .isEqualTo(record)
          .isEqualTo(RecordCodec.read(Given.NAME, ORIGIN, people, state));
    }
  }

  @Test
  @DisplayName("shares one memory with its versions as far as they are alike")
  void shared() {
    NodeRecord record = ours().getLast();

    NodeRecord read = Verbatim.read(Given.NAME, ORIGIN, people(record), state(record));

    assertThat(read)
        .isNotNull()
        .satisfies(
            it ->
                assertThat(it.history())
                    .extracting(version -> version.content().get(DEDICATED))
                    .filteredOn(Objects::nonNull)
                    .hasSize(2)
                    .allMatch(value -> value == it.content().get(DEDICATED)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "gpu-17"                 | "gpu-18"
          "team": "a"              | "team": 1
          "team": "a"              | "team": null
          "team": "a"              | "team": "not ok!"
          "team": "a"              | "team": "a", "team": "a"
          "team": "a"              | "team": "a", "rack": "b"
          "effect": "NoSchedule"   | "effect": "NoSchedule", "timeAdded": "2026-11-16T10:57:04Z"
          "effect": "NoSchedule"   | "effect": "NoSchedule", "effect": "NoSchedule"
          "key": "dedicated",      |
          "unschedulable": false,  | "unschedulable": "no",
          "annotations": {},       | "annotations": {}, "annotations": {},
          "annotations": {},       |
          "capturedAt"             | "owner": "me", "capturedAt"
          "capturedAt"             | "captured"
          }                        | } }
          "generation":1,          | "generation":1.0,
          "generation":1,          | "generation":-1,
          "generation":1,          | "generation":1000000000000001,
          "generation":1,          | "generation":99999999999999999999,
          "schema":1               | "schema":2
          "schema":1               | "schema":99999999999999999999
          "resourceVersion":"7"    | "resourceVersion":"-7"
          "versions":[]            | "versions":[{}]
          "versions":[]            | "versions":["text"]
          "versions":[]            | "withheld":["label:x",7],"versions":[]
          "keys":{}                | "keys":{"what":1}
          "keys":{}                | "keys":{"label:a":1,"label:a":2}
          "keys":{}                | "keys":{"label:a":"1"}
          "machineID"              | "machine"
          """)
  @DisplayName("and was changed in any other way than in its values is left to the tree")
  void changed(String from, @Nullable String to) {
    String people = people(plain().build());
    String state = state(plain().build());
    assertThat(people + state).contains(from);

    String other = to == null ? "" : to;
    NodeRecord read =
        Verbatim.read(Given.NAME, ORIGIN, people.replace(from, other), state.replace(from, other));

    assertThat(read).isNull();
  }

  @Test
  @DisplayName("and was damaged at random is what the tree would say, or left to it")
  void damaged() {
    List<NodeRecord> ours = ours();
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      NodeRecord record = ours.get(random.nextInt(ours.size()));
      String people = random.nextBoolean() ? damage(people(record)) : people(record);
      String state = random.nextBoolean() ? damage(state(record)) : state(record);

      Stored verbatim = Verbatim.read(Given.NAME, ORIGIN, people, state);

      if (verbatim != null) {
        read++;
        assertThat(verbatim)
            .as("%s%n%s", people, state)
            .isEqualTo(RecordCodec.read(Given.NAME, ORIGIN, people, state));
      }
    }
    assertThat(read).isBetween(5_000, 15_000);
  }

  /** A character, a line or a field lost, doubled, or put where another was. */
  private String damage(String text) {
    List<String> parts = new ArrayList<>(List.of(text.split(random.nextBoolean() ? "" : "(?<=,)")));
    int at = random.nextInt(parts.size());
    int other = random.nextInt(parts.size());
    switch (random.nextInt(4)) {
      case 0 -> parts.remove(at);
      case 1 -> parts.add(at, parts.get(at));
      case 2 -> parts.set(at, parts.get(other));
      default -> Collections.swap(parts, at, other);
    }
    return String.join("", parts);
  }
}
