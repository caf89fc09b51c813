package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Kwok;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Reply;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import dev.nodekeeper.testbed.fault.FaultProxy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;

/**
 * A namespace of its own on a control plane with everything that a Deployment needs (real API
 * server, controllers and scheduler; kwok plays the nodes), with our manifests applied. Operators
 * started here have the rights of those manifests and no others.
 */
final class World implements AutoCloseable {
  static final String ACCOUNT = "system:serviceaccount:echo-operator:echo-operator";

  private static final Duration HANG = Duration.ofMinutes(3);
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  final String namespace = "echo-" + COUNT.incrementAndGet();

  private static final class Holder {
    static final ControlPlane PLANE = startPlane();
  }

  private static ControlPlane startPlane() {
    var plane =
        ControlPlane.start(
            Options.defaults()
                .with(Part.CONTROLLER_MANAGER)
                .with(Part.SCHEDULER)
                // 500 Services need more addresses than the testbed's usual 254.
                .apiServerFlag("--service-cluster-ip-range=10.0.0.0/16"));
    Kwok.start(plane, "node-1", "node-2");
    kubectl(plane, "apply", "--server-side", "-k", "deploy/base");
    kubectl(plane, "wait", "--for=condition=Established", "crd/echoes.test.com");
    until(() -> plane.admin().list("/apis/test.com/v1/echoes"));
    return plane;
  }

  /** Restricted: pods that ask for more than they should are refused here. */
  World() {
    admin()
        .create(
            "/api/v1/namespaces",
            """
            {"metadata": {"name": "%s", "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}
            """
                .formatted(namespace))
        .expect();
  }

  ControlPlane plane() {
    return Holder.PLANE;
  }

  Kube admin() {
    return plane().admin();
  }

  // ---- operators

  /** An operator, gone at the end of this world at the latest. */
  EchoOperator operator() {
    return operator(plane().kubeconfig(ACCOUNT), Optional.empty());
  }

  EchoOperator operator(FaultProxy proxy) {
    return operator(proxy.kubeconfig(), Optional.empty());
  }

  FaultProxy proxy() {
    return later(FaultProxy.before(plane(), ACCOUNT));
  }

  /** Its clock is ahead of the API server's. */
  EchoOperator operatorAhead(Duration ahead) {
    var clock = Clock.offset(Clock.systemUTC(), ahead);
    return operator(plane().kubeconfig(ACCOUNT), Optional.empty(), clock);
  }

  EchoOperator operator(Path kubeconfig, Optional<LeaderElectionConfiguration> election) {
    return operator(kubeconfig, election, Clock.systemUTC());
  }

  private EchoOperator operator(
      Path kubeconfig, Optional<LeaderElectionConfiguration> election, Clock clock) {
    try {
      return later(EchoOperator.start(client(kubeconfig), election, 0, clock));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KubernetesClient client(Path kubeconfig) {
    var config = Config.fromKubeconfig(kubeconfig.toFile());
    // The proxy does not speak WebSocket.
    config.setOnlyHttpWatches(true);
    config.setClientKeyAlgo("EC");
    return EchoOperator.client(config);
  }

  <T extends AutoCloseable> T later(T thing) {
    open.push(thing);
    return thing;
  }

  // ---- objects

  String echoes() {
    return "/apis/test.com/v1/namespaces/" + namespace + "/echoes";
  }

  String echo(String name) {
    return echoes() + "/" + name;
  }

  String deployment(String name) {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name;
  }

  String service(String name) {
    return "/api/v1/namespaces/" + namespace + "/services/" + name;
  }

  Reply create(String name, String spec) {
    return admin()
        .create(
            echoes(),
            """
            {"apiVersion": "test.com/v1", "kind": "Echo", "metadata": {"name": "%s"}, "spec": %s}
            """
                .formatted(name, spec));
  }

  Reply change(String name, String spec) {
    return admin().patch(echo(name), Patch.MERGE, "{\"spec\": " + spec + "}");
  }

  List<JsonNode> pods(String name) {
    return admin()
        .list("/api/v1/namespaces/" + namespace + "/pods?labelSelector=test.com/app%3D" + name);
  }

  /** Type to "status reason". */
  Map<String, String> conditions(String name) {
    var found = new TreeMap<String, String>();
    for (var each : admin().get(echo(name)).expect().at("/status/conditions")) {
      found.put(
          each.path("type").asText(),
          each.path("status").asText() + " " + each.path("reason").asText());
    }
    return found;
  }

  String message(String name, String type) {
    for (var each : admin().get(echo(name)).expect().at("/status/conditions")) {
      if (each.path("type").asText().equals(type)) {
        return each.path("message").asText();
      }
    }
    return "";
  }

  List<String> events(String name) {
    return admin().list("/api/v1/namespaces/" + namespace + "/events").stream()
        .filter(event -> event.at("/involvedObject/kind").asText().equals("Echo"))
        .filter(event -> event.at("/involvedObject/name").asText().equals(name))
        .map(event -> event.path("type").asText() + " " + event.path("reason").asText())
        .toList();
  }

  boolean settled(String name) {
    var echo = admin().get(echo(name)).body();
    return echo.at("/status/observedGeneration").asLong(-1)
            == echo.at("/metadata/generation").asLong()
        && Map.of(
                "Available", "True EnoughPods",
                "Progressing", "False Settled",
                "Degraded", "False AsExpected")
            .equals(conditions(name));
  }

  void awaitSettledWithin(String name, Duration time) {
    await().atMost(time).ignoreExceptions().until(() -> settled(name));
  }

  void awaitSettled(String name) {
    until(() -> assertThat(settled(name)).as(name).isTrue());
  }

  /** Neither Echo nor children nor pods. */
  void awaitGone(String name) {
    until(
        () -> {
          for (var path : List.of(echo(name), deployment(name), service(name))) {
            assertThat(admin().get(path).code()).as(path).isEqualTo(404);
          }
          assertThat(pods(name)).isEmpty();
        });
  }

  static void until(ThrowingRunnable holds) {
    await()
        .atMost(HANG)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .untilAsserted(holds);
  }

  // ---- kubectl

  String kubectl(String... arguments) {
    return kubectl(plane(), arguments);
  }

  private static String kubectl(ControlPlane plane, String... arguments) {
    var all = new ArrayList<>(List.of("--kubeconfig=" + plane.adminKubeconfig()));
    all.addAll(List.of(arguments));
    var ran = Binaries.fromEnvironment(System.err::println).run(Tool.KUBECTL, all);
    if (ran.code() != 0) {
      throw new AssertionError("kubectl " + all + ": " + ran.output());
    }
    return ran.output();
  }

  /** Ends what was started here, and takes away what is left: the next world starts clean. */
  @Override
  public void close() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
    for (var left : admin().list(echoes())) {
      var path = echo(left.at("/metadata/name").asText());
      admin().patch(path, Patch.MERGE, "{\"metadata\": {\"finalizers\": null}}");
      admin().delete(path);
    }
    admin().delete("/api/v1/namespaces/" + namespace);
  }
}
