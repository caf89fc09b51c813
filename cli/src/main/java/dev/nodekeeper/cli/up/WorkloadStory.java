package dev.nodekeeper.cli.up;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machines;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** A workload that needs what people put on its node: without it, it waits; with it, it runs. */
final class WorkloadStory {
  private static final String NODE = "my-new-node";
  private static final String PODS = "/api/v1/namespaces/default/pods?labelSelector=app%3Dtrain";
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Screen screen;
  private final UpFolder folder;
  private final LocalCluster cluster;
  private final Kubectl kubectl;
  private final Kube admin;

  WorkloadStory(Screen screen, UpFolder folder, LocalCluster cluster, UpState state) {
    this.screen = screen;
    this.folder = folder;
    this.cluster = cluster;
    this.kubectl = new Kubectl(screen, folder, state);
    this.admin = ControlPlane.attach(folder.root()).admin();
  }

  UpState play() {
    chapter("A workload is pinned to the label, and tolerates the taint");
    kubectl.show("apply", "-f", workload().toString());
    awaitPod("runs", pod -> phase(pod).equals("Running"));
    showPods();

    chapter("Without Nodekeeper: its node is deleted, and comes back bare");
    screen.line("    (nodekeeper run is ended for a moment)");
    cluster.stopController();
    kubectl.show("delete", "node", NODE);
    Machines.restart(folder.root(), NODE);
    kubectl.show("delete", "pod", "-l", "app=train", "--force", "--grace-period=0");
    awaitPod("waits", pod -> phase(pod).equals("Pending") && !waitsFor(pod).isEmpty());
    showPods();
    pods().forEach(pod -> screen.line("    " + waitsFor(pod)));

    chapter("With Nodekeeper: label and taint are back, and the workload runs");
    UpState state = cluster.repair();
    awaitPod("runs again", pod -> phase(pod).equals("Running"));
    showPods();
    return state;
  }

  private Path workload() {
    Path file = folder.root().resolve("workload.yaml");
    try (InputStream text = WorkloadStory.class.getResourceAsStream("workload.yaml")) {
      Files.copy(Objects.requireNonNull(text), file, StandardCopyOption.REPLACE_EXISTING);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  private void chapter(String title) {
    screen.line("");
    screen.line(screen.good(title));
  }

  private void showPods() {
    kubectl.show("get", "pods", "-l", "app=train", "-o", "wide");
  }

  private List<JsonNode> pods() {
    return admin.list(PODS).stream()
        .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
        .toList();
  }

  private void awaitPod(String what, Predicate<JsonNode> wanted) {
    Patience.await(
        LIMIT,
        () -> "the workload never %s: %s".formatted(what, pods()),
        () -> pods().size() == 1 && wanted.test(pods().getFirst()));
  }

  private static String phase(JsonNode pod) {
    return pod.path("status").path("phase").asText();
  }

  /** What the scheduler says about it. */
  private static String waitsFor(JsonNode pod) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")) {
        return condition.path("message").asText();
      }
    }
    return "";
  }
}
