package dev.nodekeeper.it.see;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.AuditLog;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What /metrics says is what is there")
final class AgreementIT {
  private static final int NODES = 60;
  private static final String[] FLAGS = {"--shards=4"};

  private final World world = new World();
  private final List<Machine> machines = Fleet.machines("seen", NODES);
  private final List<Running> replicas = new ArrayList<>();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  /** Counted in the API server, by nothing of ours. */
  private record Truth(
      long nodes,
      long records,
      long unreadable,
      long orphans,
      long bytes,
      Map<String, Double> states) {}

  @Test
  @DisplayName(
      "at rest, after a mass deletion, a return, a restart and a hand-over; replicas add up")
  void agrees() {
    AuditLog.Mark mark = world.mark();
    replicas.add(world.keeper(FLAGS));
    replicas.add(world.keeper(FLAGS));
    await("two shards for each")
        .atMost(World.HANG)
        .until(() -> scrapes().stream().allMatch(s -> s.sum("nodekeeper_shards_owned") == 2));
    Parallel.each(machines, world::register);
    // NB: a new owner counts when it has caught up, and not before.
    awaitAgreement("registered");
    // Two of three have something to keep, and every fourth a taint as well.
    Parallel.each(every(3, 0, 1), machine -> world.label(machine.name(), "team", "a"));
    Parallel.each(every(4, 0), machine -> world.taint(machine.name(), "dedicated=a:NoSchedule"));
    await("recorded").atMost(World.HANG).until(() -> truth().records() == kept().size());
    world.writeRecord(machines.get(0).name(), "{ \"labels\": ");
    world.admin.create(records(), World.object("ConfigMap", "no-record")).expect();
    awaitAgreement("at rest");
    assertThat(truth().states()).containsEntry("refused", 1.0).containsEntry("away", 0.0);
    assertThat(truth().unreadable()).isEqualTo(2);
    world.admin.delete(world.recordPath("no-record")).expect();

    // Without the one whose record cannot be read: its last state could not be written.
    List<Machine> leaving = machines.subList(1, NODES);
    Parallel.each(leaving, machine -> world.vanish(machine.name()));
    awaitAgreement("after a mass deletion");
    assertThat(truth().states()).containsEntry("away", kept().size() - 1.0);

    Parallel.each(leaving, world::register);
    awaitAgreement("after the return");
    counters(mark);

    replicas.forEach(world::stop);
    replicas.clear();
    replicas.add(world.keeper(FLAGS));
    replicas.add(world.keeper(FLAGS));
    awaitAgreement("after a restart");

    world.stop(replicas.removeFirst());
    awaitAgreement("after a hand-over");
    assertThat(Scrape.of(replicas.getFirst().httpPort()).sum("nodekeeper_shards_owned"))
        .isEqualTo(4);
  }

  private List<Machine> every(int of, Integer... rests) {
    List<Machine> some = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      if (List.of(rests).contains(i % of)) {
        some.add(machines.get(i));
      }
    }
    return some;
  }

  private List<Machine> kept() {
    List<Machine> kept = new ArrayList<>(every(3, 0, 1));
    every(4, 0).stream().filter(machine -> !kept.contains(machine)).forEach(kept::add);
    return kept;
  }

  // ---- what they say

  private void awaitAgreement(String when) {
    await(when).atMost(World.HANG).untilAsserted(this::assertAgreement);
  }

  private void assertAgreement() {
    Truth truth = truth();
    List<Scrape> scrapes = scrapes();
    Map<String, Double> states = new TreeMap<>();
    scrapes.forEach(
        scrape -> scrape.states().forEach((state, n) -> states.merge(state, n, Double::sum)));
    assertThat(states).isEqualTo(truth.states());
    for (Scrape each : scrapes) {
      assertThat(each.sum("nodekeeper_nodes")).isEqualTo(truth.nodes());
      assertThat(each.sum("nodekeeper_records")).isEqualTo(truth.records());
      assertThat(each.sum("nodekeeper_unreadable_records")).isEqualTo(truth.unreadable());
      assertThat(each.sum("nodekeeper_orphaned_records")).isEqualTo(truth.orphans());
      assertThat(each.sum("nodekeeper_records_bytes")).isEqualTo(truth.bytes());
      assertThat(each.sum("nodekeeper_in_flight")).isZero();
    }
    assertThat(Scrape.total(scrapes, each -> each.sum("nodekeeper_shards_owned"))).isEqualTo(4);
  }

  /** The audit log has counted the same requests. */
  private void counters(AuditLog.Mark mark) {
    Map<String, Double> audit = new HashMap<>();
    world
        .plane
        .audit()
        .since(mark)
        .requests(world.user)
        .forEach(request -> audit.merge(request.what() + " " + request.code(), 1.0, Double::sum));
    assertThat(total("nodekeeper_record_creations_total"))
        .isEqualTo(audit.get("create configmaps 201"))
        .isEqualTo(kept().size());
    assertThat(total("nodekeeper_restores_total"))
        .isEqualTo(audit.get("patch nodes 200"))
        .isEqualTo(kept().size() - 1);
    for (String code : List.of("200", "201", "403", "404", "409", "422", "500")) {
      double ours =
          Scrape.total(
              scrapes(),
              scrape ->
                  scrape.value(
                      "nodekeeper_responses_total{call=\"patch-node\",code=\"" + code + "\"}"));
      assertThat(ours).isEqualTo(audit.getOrDefault("patch nodes " + code, 0.0));
    }
    // The first machine has both, and did not leave.
    assertThat(total("nodekeeper_restored_keys_total{kind=\"label\"}"))
        .isEqualTo(every(3, 0, 1).size() - 1);
    assertThat(total("nodekeeper_restored_keys_total{kind=\"taint\"}"))
        .isEqualTo(every(4, 0).size() - 1);
    assertThat(total("nodekeeper_restore_seconds_count")).isEqualTo(kept().size() - 1);
    assertThat(total("nodekeeper_capture_seconds_count"))
        .isEqualTo(total("nodekeeper_captures_total"));
    assertThat(total("nodekeeper_decisions_total{decision=\"restore\"}"))
        .isGreaterThanOrEqualTo(kept().size() - 1);
    double churn =
        total("nodekeeper_content_changes_total{class=\"open\",kind=\"label\"}")
            + total("nodekeeper_content_changes_total{class=\"dedicated\",kind=\"label\"}");
    assertThat(churn).isEqualTo(every(3, 0, 1).size());
  }

  private double total(String series) {
    Function<Scrape, Double> part =
        series.contains("{") ? scrape -> scrape.value(series) : scrape -> scrape.sum(series);
    return Scrape.total(scrapes(), part);
  }

  private List<Scrape> scrapes() {
    return replicas.stream().map(replica -> Scrape.of(replica.httpPort())).toList();
  }

  // ---- what is so

  private String records() {
    return "/api/v1/namespaces/" + world.namespace + "/configmaps";
  }

  private Truth truth() {
    Map<String, JsonNode> nodes = byName("/api/v1/nodes");
    Map<String, JsonNode> maps = byName(records());
    Map<String, Double> states = new TreeMap<>();
    List.of("current", "pending-capture", "pending-restore", "refused", "away")
        .forEach(state -> states.put(state, 0.0));
    nodes.forEach((name, node) -> states.merge(state(node, maps.get(name)), 1.0, Double::sum));
    long unreadable = maps.values().stream().filter(map -> record(map) == null).count();
    List<String> orphans =
        maps.keySet().stream()
            .filter(name -> !nodes.containsKey(name) && record(maps.get(name)) != null)
            .toList();
    states.put("away", (double) orphans.size());
    long bytes =
        maps.values().stream()
            .flatMap(
                map -> List.of("record.json", "state.json").stream().map(map.path("data")::path))
            .mapToLong(text -> text.asText().getBytes(StandardCharsets.UTF_8).length)
            .sum();
    return new Truth(
        nodes.size(), maps.size() - unreadable, unreadable, orphans.size(), bytes, states);
  }

  private static String state(JsonNode node, JsonNode map) {
    if (map != null && record(map) == null) {
      return "refused";
    }
    JsonNode record = map == null ? World.JSON.createObjectNode() : record(map);
    Map<String, String> labels = new TreeMap<>();
    record.path("labels").properties().forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
    boolean same =
        labels.equals(World.labels(node))
            && World.taints(World.JSON.createObjectNode().set("spec", record))
                .equals(World.taints(node));
    return same ? "current" : "pending";
  }

  /** Null where it is none. */
  private static JsonNode record(JsonNode map) {
    try {
      JsonNode record = World.JSON.readTree(map.path("data").path("record.json").asText());
      return record.isObject() ? record : null;
    } catch (IOException e) {
      return null;
    }
  }

  private Map<String, JsonNode> byName(String path) {
    Map<String, JsonNode> all = new HashMap<>();
    world
        .admin
        .list(path)
        .forEach(object -> all.put(object.path("metadata").path("name").asText(), object));
    all.remove("kube-root-ca.crt");
    return all;
  }
}
