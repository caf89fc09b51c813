package dev.nodekeeper.cli.up;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import java.time.Duration;
import java.util.List;

/** A node gets a label and a taint, is deleted, comes back bare, and has them again. */
final class Story {
  private static final String NODE = "my-new-node";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Screen screen;
  private final UpFolder folder;
  private final Kubectl kubectl;
  private final Kube admin;

  Story(Screen screen, UpFolder folder, UpState state) {
    this.screen = screen;
    this.folder = folder;
    this.kubectl = new Kubectl(screen, folder, state);
    this.admin = ControlPlane.attach(folder.root()).admin();
  }

  void play() {
    chapter("Somebody puts labels and a taint on a node");
    kubectl.show("label", "node", NODE, "team=vision", "node-role.kubernetes.io/gpu=");
    kubectl.show("taint", "node", NODE, "dedicated=vision:NoSchedule");
    kubectl.show("label", "node", "worker-1", "disk=nvme");

    chapter("nodekeeper remembers: one ConfigMap per node");
    awaitRecord(NODE, "dedicated", "team");
    awaitRecord("worker-1", "disk");
    showRecord();
    NodeState before = Departure.of(admin, NODE);

    chapter("The node is deleted: maintenance, an upgrade, a stop and start");
    kubectl.show("delete", "node", NODE);

    chapter("The machine comes back, and its kubelet registers a bare Node");
    Homecoming homecoming = Homecoming.of(admin, folder.root(), before);
    HomecomingText.lines(homecoming).forEach(line -> screen.line(("    " + line).stripTrailing()));
  }

  private void chapter(String title) {
    screen.line("");
    screen.line(screen.good(title));
  }

  private void awaitRecord(String node, String... keys) {
    String path = "/api/v1/namespaces/" + LocalCluster.NAMESPACE + "/configmaps/" + node;
    Patience.await(
        LIMIT,
        () ->
            "no record of %s was written: %s"
                .formatted(node, Tail.of(folder.log(LocalCluster.CONTROLLER))),
        () -> {
          JsonNode data = admin.get(path).body().path("data");
          String record = data.path("record.json").asText();
          return List.of(keys).stream().allMatch(key -> record.contains('"' + key + '"'));
        });
  }

  private void showRecord() {
    String[] command = {"get", "configmap", NODE, "-n", LocalCluster.NAMESPACE, "-o", "yaml"};
    kubectl.announce(command);
    RecordYaml.withoutState(kubectl.quietly(command)).forEach(line -> screen.line("    " + line));
  }
}
