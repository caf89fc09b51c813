package dev.nodekeeper.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One {@code up} and what a person does with it, in that order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UpIT {
  @TempDir private static Path dir;

  private Path folder = Path.of("");
  private Ran up = new Ran(-1, "", "");

  @BeforeAll
  void startUp() throws Exception {
    folder = dir.resolve("up");
    // Where they must be built first, that takes minutes, and is not what is timed here.
    Binaries.fromEnvironment(System.out::println)
        .resolve(
            EnumSet.of(
                Tool.ETCD,
                Tool.KUBE_APISERVER,
                Tool.KUBECTL,
                Tool.KUBE_CONTROLLER_MANAGER,
                Tool.KUBE_SCHEDULER,
                Tool.KWOK));
    up = nodekeeper("up", "--full");
  }

  @AfterAll
  void endWhatATestLeft() throws Exception {
    nodekeeper("down");
  }

  private Map<String, String> env() {
    return Map.of(
        "NODEKEEPER_UP_DIR", folder.toString(),
        "NODEKEEPER_BUILD", "never",
        "JAVA_HOME", System.getProperty("java.home"),
        "KUBECONFIG", folder.resolve("kubeconfig/admin.yaml").toString());
  }

  private Ran nodekeeper(String... arguments) throws Exception {
    return Ran.of(dir, env(), command(arguments));
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Ran.repository().resolve("nodekeeper").toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static Stream<ProcessHandle> processesOf(Path folder) {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .filter(handle -> handle.info().commandLine().orElse("").contains(folder.toString()));
  }

  private JsonNode state() throws Exception {
    return new JsonMapper().readTree(folder.resolve("up.json").toFile());
  }

  @Test
  @Order(1)
  @DisplayName("up plays the story, says how to go on, and shows no colours and no secrets")
  void story() {
    assertThat(up.err()).isEmpty();
    assertThat(up.exitCode()).isZero();
    assertThat(up.out())
        .contains(
            "$ kubectl label node my-new-node team=vision",
            "$ kubectl taint node my-new-node dedicated=vision:NoSchedule",
            "$ kubectl get configmap my-new-node -n nodekeeper -o yaml",
            "\"team\": \"vision\"",
            "$ kubectl delete node my-new-node",
            "after its Node was created",
            "export KUBECONFIG=" + folder.resolve("kubeconfig/admin.yaml"),
            "make down")
        .containsPattern("label team +vision +- +vision")
        .containsPattern("taint dedicated:NoSchedule +vision +- +vision")
        .doesNotContain("\u001b", "nonce");
  }

  @Test
  @Order(2)
  @DisplayName("a workload waits while its node lacks a label, and runs again when we give it back")
  void workload() {
    assertThat(up.out())
        .containsSubsequence(
            "deployment.apps/train created",
            "Running",
            "my-new-node",
            "(nodekeeper run is ended for a moment)",
            "Pending",
            "didn't match Pod's node affinity/selector",
            "With Nodekeeper",
            "Running",
            "my-new-node");
  }

  @Test
  @Order(2)
  @DisplayName("the console is where it says, and shows the node")
  void console() throws Exception {
    Matcher address = Pattern.compile("The console: (http://localhost:[0-9]+/)").matcher(up.out());
    assertThat(address.find()).isTrue();
    try (var page = URI.create(address.group(1) + "nodes/my-new-node").toURL().openStream()) {
      assertThat(new String(page.readAllBytes(), StandardCharsets.UTF_8))
          .contains("current", "vision", "events of the cluster");
    }
  }

  @Test
  @Order(2)
  @DisplayName("a Prometheus scrapes the controller and has our alerts")
  void prometheus() throws Exception {
    Matcher found = Pattern.compile("open (http://127\\.0\\.0\\.1:\\d+)/alerts").matcher(up.out());
    assertThat(found.find()).as(up.out()).isTrue();
    String api = found.group(1) + "/api/v1/";
    await("it has scraped the nodes")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                get(api + "query?query=sum(nodekeeper_owned_nodes)")
                    .at("/data/result/0/value/1")
                    .asText()
                    .equals("3"));
    assertThat(get(api + "rules").findValuesAsText("name")).contains("NodekeeperNotRestored");
  }

  private static JsonNode get(String uri) throws IOException {
    try (var page = URI.create(uri).toURL().openStream()) {
      return new JsonMapper().readTree(page);
    }
  }

  @Test
  @Order(2)
  @DisplayName("list and show say that all is well")
  void look() throws Exception {
    Ran list = nodekeeper("list");
    assertThat(list.out())
        .containsPattern("my-new-node +current +2 +1 +0 ")
        .containsPattern("worker-1 +current +1 +0 +0 ")
        .containsPattern("worker-2 +current +0 +0 +0 +-");
    Ran show = nodekeeper("show", "my-new-node");
    assertThat(show.exitCode()).isZero();
    assertThat(show.out())
        .containsPattern("State +current")
        .containsPattern("label +team +vision +vision")
        .doesNotContain("nonce");
    assertThat(nodekeeper("show", "nobody").exitCode()).isEqualTo(3);
  }

  @Test
  @Order(3)
  @DisplayName("without a kubeconfig nobody is sent to this cluster, but is told of it")
  void hint() throws Exception {
    var without = new HashMap<>(env());
    without.put("KUBECONFIG", "");
    without.put("HOME", dir.toString());
    without.put("NODEKEEPER_JAVA_OPTS", "-Duser.home=" + dir);
    Ran list = Ran.of(dir, without, command("list"));
    assertThat(list.exitCode()).isEqualTo(1);
    assertThat(list.err()).contains("export KUBECONFIG=" + folder);
  }

  @Test
  @Order(4)
  @DisplayName("a machine that leaves and returns has its label again")
  void restart() throws Exception {
    Ran restart = nodekeeper("restart", "worker-1");
    assertThat(restart.exitCode()).isZero();
    assertThat(restart.out()).containsPattern("label disk +nvme +- +nvme").contains("Restored");
    assertThat(nodekeeper("restart", "nobody").exitCode()).isEqualTo(3);
  }

  @Test
  @Order(5)
  @DisplayName("a second up changes nothing, except that it starts again what was killed")
  void again() throws Exception {
    long controller = state().at("/processes/nodekeeper/pid").asLong();
    Ran second = nodekeeper("up");
    assertThat(second.out()).contains("running already", "export KUBECONFIG=");
    assertThat(state().at("/processes/nodekeeper/pid").asLong()).isEqualTo(controller);

    ProcessHandle.of(controller).orElseThrow().destroyForcibly();
    Ran third = nodekeeper("up");
    assertThat(third.out()).contains("had stopped: starting it again");
    assertThat(nodekeeper("restart", "my-new-node").out()).contains("Restored");
  }

  @Test
  @Order(6)
  @DisplayName("down leaves no process and no folder; a second one finds nothing")
  void down() throws Exception {
    assertThat(processesOf(folder)).hasSizeGreaterThanOrEqualTo(4);
    Ran down = nodekeeper("down");
    assertThat(down.exitCode()).isZero();
    assertThat(folder).doesNotExist();
    assertThat(processesOf(folder)).isEmpty();
    assertThat(nodekeeper("down").out()).contains("Nothing is running");
  }

  @Test
  @Order(7)
  @DisplayName("a signal in the middle of up leaves nothing behind")
  void interrupted() throws Exception {
    Path output = Files.createDirectory(dir.resolve("interrupted"));
    Process process = Ran.start(dir, env(), command("up"), output);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.readString(output.resolve("out")).contains("Starting machines"));
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(folder).doesNotExist();
    assertThat(processesOf(folder)).isEmpty();
  }
}
