package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.cli.records.RecordStore;
import dev.nodekeeper.config.Settings.ClusterSettings;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.read.RecordReader;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Patch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Commands that change records, on a real API server with a real controller")
@SuppressWarnings("NullAway.Init") // JUnit makes the folder
final class RecordsIT {
  private static final JsonMapper JSON = new JsonMapper();
  private final Bed bed = new Bed();

  @TempDir private Path dir;

  @AfterEach
  void end() throws Exception {
    bed.close();
  }

  private static String sample(String name) {
    return Path.of("src", "test", "resources", "samples", name + ".yaml").toString();
  }

  @ParameterizedTest
  @CsvSource({
    "label-preserver, plain=1 example.com/team=vision persist.demo/type=expensive a.b/c-SLASH-d=x",
    "kube-state-rs, plain=1 example.com/team=vision persist.demo/type=expensive a.b/c-SLASH-d=x",
    "kube-state-rs-early, plain=1 example.com/team=vision persist.demo/type=expensive",
    "node-label-operator, persist.demo/type=expensive",
    "node-label-operator-early, persist.demo/type=expensive"
  })
  @DisplayName("what each earlier system remembers is imported, and a returning node gets it")
  void predecessors(String format, String labels) throws Exception {
    Path names = Files.writeString(dir.resolve("names"), "worker-1.example\n");
    Typed imported =
        format.equals("kube-state-rs-early")
            ? bed.type("import", sample(format), "--from", format)
            : bed.type("import", sample(format), "--names", names.toString());
    assertThat(imported.exitCode()).as(imported.err() + imported.out()).isZero();
    assertThat(imported.out()).containsPattern("worker-1.example +created");

    bed.keeper();
    bed.register("worker-1.example");
    for (String label : labels.split(" ", -1)) {
      String[] parts = label.split("=", -1);
      bed.awaitLabel("worker-1.example", parts[0], parts[1]);
    }
    // Facts were in some of them, and books: neither is a label that people gave.
    assertThat(bed.record("worker-1.example").at("/data/record.json").asText())
        .doesNotContain("beta.kubernetes.io", "label_version", "transaction_type");
  }

  @Test
  @DisplayName("a hash is matched with living nodes; one that nobody knows is told, not guessed")
  void hashes() {
    Typed unknown = bed.type("import", sample("label-preserver"));
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.ATTENTION);
    assertThat(unknown.out())
        .containsPattern("unnamed")
        .contains("node-labels-f615b9184c", "--names");
    assertThat(bed.admin.list(bed.records()))
        .noneMatch(map -> map.toString().contains("record.json"));
    bed.register("worker-1.example");
    assertThat(bed.type("import", sample("label-preserver")).exitCode()).isZero();
    assertThat(bed.record("worker-1.example").at("/data/record.json").asText())
        .contains("example.com/team");
  }

  @Test
  @DisplayName(
      "a fleet of 1,000 goes through export and import into an empty cluster and is restored")
  void wholeFleet() throws Exception {
    var machines = Fleet.machines("fleet", 1000);
    Path file = dir.resolve("records.yaml");
    try (var _ = bed.keeper()) {
      bed.fleet.register(
          IntStream.range(0, 1000)
              .mapToObj(
                  i ->
                      machines
                          .get(i)
                          .withLabel("team.example/owner", "team-" + i % 7)
                          .withLabel("rack", "r" + i))
              .toList());
      await().atMost(Bed.HANG).until(() -> bed.admin.list(bed.records()).size() >= 1000);
    }
    Typed exported = bed.type("export");
    assertThat(exported.exitCode()).as(exported.err()).isZero();
    assertThat(exported.out()).doesNotContain("nonce", "state.json", "uid");
    Files.writeString(file, exported.out());
    bed.fleet.vanish(machines);

    try (Bed empty = new Bed()) {
      Typed imported = empty.type("import", file.toString(), "-o", "name");
      assertThat(imported.exitCode()).as(imported.err()).isZero();
      assertThat(imported.out().lines()).hasSize(1000);
      assertThat(empty.type("import", file.toString()).out()).doesNotContain("created");
      empty.keeper();
      // Bare, as machines are that were set up anew.
      empty.fleet.register(machines);
      Map<String, String> wanted = new HashMap<>();
      IntStream.range(0, 1000).forEach(i -> wanted.put("fleet-" + i, "team-" + i % 7 + " r" + i));
      await("all are restored")
          .atMost(Bed.HANG)
          .untilAsserted(
              () -> {
                Map<String, String> found = new HashMap<>();
                for (JsonNode node : empty.admin.list("/api/v1/nodes")) {
                  JsonNode labels = node.path("metadata").path("labels");
                  found.put(
                      node.path("metadata").path("name").asText(),
                      labels.path("team.example/owner").asText()
                          + " "
                          + labels.path("rack").asText());
                }
                assertThat(found).isEqualTo(wanted);
              });
    }
  }

  /** With another time and team than the record that is there. */
  private String file(String node, String team, String capturedAt) throws Exception {
    String record =
        "{\\\"node\\\":\\\"%s\\\",\\\"labels\\\":{\\\"team\\\":\\\"%s\\\"},\\\"capturedAt\\\":\\\"%s\\\"}"
            .formatted(node, team, capturedAt);
    return Files.writeString(
            dir.resolve(team + ".json"),
            """
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s"},
             "data": {"record.json": "%s"}}
            """
                .formatted(node, record))
        .toString();
  }

  @Test
  @DisplayName(
      "a record that is there is replaced only when asked, a newer one only when insisted on")
  void replace() throws Exception {
    try (var _ = bed.keeper()) {
      bed.register("n1");
      bed.label("n1", "team", "vision");
      bed.awaitRecord("n1", "vision");
    }
    String older = file("n1", "older", "2020-01-01T00:00:00Z");
    String newer = file("n1", "newer", "2099-01-01T00:00:00Z");
    for (String[] refused : new String[][] {{older}, {newer}, {older, "--replace", "older"}}) {
      var line = new ArrayList<>(List.of("import"));
      line.addAll(List.of(refused));
      Typed kept = bed.type(line.toArray(String[]::new));
      assertThat(kept.exitCode()).isEqualTo(ExitCode.ATTENTION);
      assertThat(kept.out()).containsPattern("n1 +kept").contains("--replace");
      assertThat(bed.record("n1").at("/data/record.json").asText()).contains("vision");
    }
    Typed dry = bed.type("import", newer, "--replace", "older", "--dry-run");
    assertThat(dry.out()).contains("WOULD BE").containsPattern("n1 +replaced");
    assertThat(bed.record("n1").at("/data/record.json").asText()).contains("vision");
    assertThat(bed.type("import", newer, "--replace", "older").exitCode()).isZero();
    assertThat(bed.type("import", older, "--replace", "all").exitCode()).isZero();
    // The history is kept, and the controller takes the file's word for a person's.
    bed.keeper("--on-conflict=record");
    bed.awaitLabel("n1", "team", "older");
    await()
        .atMost(Bed.HANG)
        .until(
            () ->
                JSON.readTree(bed.record("n1").at("/data/state.json").asText())
                        .path("generation")
                        .asInt()
                    >= 2);
  }

  @Test
  @DisplayName("forget: refused for a node that is there, unless its record is to begin anew")
  void forget() throws Exception {
    bed.keeper();
    bed.register("n1");
    bed.label("n1", "team", "vision");
    bed.awaitRecord("n1", "vision");
    String uid = bed.record("n1").at("/metadata/uid").asText();
    Typed refused = bed.type("forget", "n1");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("--reset");
    assertThat(refused.err().lines()).hasSize(1);
    assertThat(bed.type("forget", "n1", "--reset").out()).isEqualTo("record of node n1 removed\n");
    await()
        .atMost(Bed.HANG)
        .until(
            () -> {
              String now = bed.record("n1").at("/metadata/uid").asText();
              return !now.isEmpty() && !now.equals(uid);
            });
    bed.delete("n1");
    assertThat(bed.type("forget", "n1").exitCode()).isZero();
    assertThat(bed.admin.get(bed.records() + "/n1").code()).isEqualTo(404);
    assertThat(bed.type("forget", "n1").exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    bed.register("n1");
    bed.register("n2");
    bed.label("n2", "team", "audio");
    bed.awaitRecord("n2", "audio");
    assertThat(bed.node("n1").at("/metadata/labels/team").isMissingNode()).isTrue();
  }

  @Test
  @DisplayName("move: the machine in the old one's place gets its record, there already or later")
  void move() throws Exception {
    bed.keeper();
    for (String name : List.of("old", "taken")) {
      bed.register(name);
      bed.label(name, "team", name);
      bed.awaitRecord(name, "team");
    }
    assertThat(bed.type("move", "old", "new").err()).contains("still there");
    bed.delete("old");
    assertThat(bed.type("move", "old", "taken").err()).contains("a record of its own");
    assertThat(bed.type("move", "nobody", "new").exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(bed.type("move", "old", "old").exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    bed.register("new");
    assertThat(bed.type("move", "old", "new").out())
        .isEqualTo("the record of node old is now that of node new\n");
    bed.awaitLabel("new", "team", "old");
    assertThat(bed.admin.get(bed.records() + "/old").code()).isEqualTo(404);
    // Nothing comes back under the old name.
    bed.register("old");
    bed.label("old", "seen", "yes");
    bed.awaitRecord("old", "seen");
    assertThat(bed.node("old").at("/metadata/labels/team").isMissingNode()).isTrue();
  }

  @Test
  @DisplayName("a move that was cut short is finished by the next one")
  void moveAgain() throws Exception {
    String labelled = file("old", "vision", "2026-01-01T00:00:00Z");
    assertThat(bed.type("import", labelled).exitCode()).isZero();
    String both = Files.readString(Path.of(labelled)).replace("old", "new");
    assertThat(
            bed.type("import", Files.writeString(dir.resolve("b.json"), both).toString())
                .exitCode())
        .isZero();
    assertThat(bed.type("move", "old", "new").exitCode()).isZero();
    assertThat(bed.admin.get(bed.records() + "/old").code()).isEqualTo(404);
    assertThat(bed.record("new").at("/data/record.json").asText()).contains("vision");
  }

  @Test
  @DisplayName("what somebody changed since is not overwritten: the write names what was looked at")
  void guarded() throws Exception {
    assertThat(bed.type("import", file("n1", "a", "2026-01-01T00:00:00Z")).exitCode()).isZero();
    var stored = RecordReader.read(bed.record("n1").toString().getBytes(StandardCharsets.UTF_8));
    bed.admin
        .patch(bed.records() + "/n1", Patch.MERGE, "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}")
        .expect();
    try (var api =
        HttpApi.connect(new ClusterSettings(bed.plane.adminKubeconfig().toString(), ""))) {
      var store = new RecordStore(api, bed.namespace);
      var old = (NodeRecord) stored;
      assertThat(store.replace(old, old)).isFalse();
      assertThat(store.delete("n1", old.origin())).isFalse();
      assertThat(store.create(old)).isEmpty();
    }
    assertThat(bed.record("n1").at("/metadata/labels/x").asText()).isEqualTo("y");
  }
}
