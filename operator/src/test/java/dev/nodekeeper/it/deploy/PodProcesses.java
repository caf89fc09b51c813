package dev.nodekeeper.it.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.RunProcess;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Ports;
import dev.nodekeeper.testbed.Probe;
import dev.nodekeeper.testbed.Watch;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A kubelet's part for pods of ours that kwok says are running: each is a process with the settings
 * of its container, is Ready when its probe says so, and gets SIGTERM when it is deleted.
 */
final class PodProcesses implements AutoCloseable {
  /** One that is not being deleted. */
  private record Pod(String template, boolean ready) {}

  private record Started(Process process, URI probe) {}

  private final World world;
  private final String path;
  private final Map<String, Pod> pods = new TreeMap<>();
  private final Map<String, Started> started = new TreeMap<>();
  private final List<Process> all = new ArrayList<>();
  private final Watch watch;
  private final Thread prober;
  private int leastReady;

  PodProcesses(World world) {
    this.world = world;
    this.path = "/api/v1/namespaces/" + world.namespace + "/pods";
    this.watch = world.admin.watch(path, this::on);
    this.prober = Thread.ofVirtual().name("prober").start(this::probe);
  }

  // ---- what happens to pods

  private synchronized void on(JsonNode event) {
    JsonNode pod = event.path("object");
    String name = pod.path("metadata").path("name").asText();
    if (event.path("type").asText().equals("DELETED")
        || pod.path("metadata").has("deletionTimestamp")) {
      pods.remove(name);
      Optional.ofNullable(started.remove(name)).ifPresent(gone -> gone.process().destroy());
    } else {
      String template = pod.path("metadata").path("labels").path("pod-template-hash").asText();
      pods.put(name, new Pod(template, isReady(pod)));
      if (pod.path("status").path("phase").asText().equals("Running")) {
        started.computeIfAbsent(name, _ -> start(pod));
      }
    }
    leastReady = Math.min(leastReady, ready());
  }

  private static boolean isReady(JsonNode pod) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  private int ready() {
    return (int) pods.values().stream().filter(Pod::ready).count();
  }

  private Started start(JsonNode pod) {
    JsonNode container = pod.path("spec").path("containers").path(0);
    if (!container.path("args").toString().equals("[\"run\"]")) {
      throw new IllegalStateException("not what RunProcess does: " + container.path("args"));
    }
    int port = Ports.one();
    Map<String, String> settings = new HashMap<>();
    for (JsonNode variable : container.path("env")) {
      String field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
      settings.put(
          variable.path("name").asText(),
          field.isEmpty()
              ? variable.path("value").asText()
              : pod.at("/" + field.replace('.', '/')).asText());
    }
    settings.put("HOSTNAME", pod.path("metadata").path("name").asText());
    // They share a network, and a folder for their account's token.
    settings.put("NODEKEEPER_HTTP_PORT", Integer.toString(port));
    settings.put("NODEKEEPER_KUBECONFIG", world.kubeconfig().toString());
    Process process = RunProcess.start(world, settings);
    all.add(process);
    String probe = container.at("/readinessProbe/httpGet/path").asText();
    return new Started(process, URI.create("http://127.0.0.1:" + port + probe));
  }

  // ---- readiness

  private void probe() {
    try {
      while (true) {
        for (var one : now().entrySet()) {
          boolean ready = Probe.ok(one.getValue().probe());
          if (ready != saidReady(one.getKey())) {
            tell(one.getKey(), ready ? "True" : "False");
          }
        }
        Thread.sleep(200);
      }
    } catch (InterruptedException e) {
      return;
    }
  }

  private synchronized Map<String, Started> now() {
    return Map.copyOf(started);
  }

  private synchronized boolean saidReady(String pod) {
    return pods.containsKey(pod) && pods.get(pod).ready();
  }

  private void tell(String pod, String ready) {
    String since = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    String status =
        """
        {"status": {"conditions": [
          {"type": "ContainersReady", "status": "%s", "lastTransitionTime": "%s"},
          {"type": "Ready", "status": "%s", "lastTransitionTime": "%s"}]}}
        """
            .formatted(ready, since, ready, since);
    // It may have gone by now.
    world.admin.patch(path + "/" + pod + "/status", Patch.STRATEGIC, status);
  }

  // ---- what was seen

  /** The templates of pods that are not being deleted, where so many are there and all Ready. */
  synchronized Set<String> templatesOf(int replicas) {
    return pods.size() == replicas && ready() == replicas
        ? pods.values().stream().map(Pod::template).collect(Collectors.toSet())
        : Set.of();
  }

  /** From now on. */
  synchronized void countLeastReady() {
    leastReady = ready();
  }

  synchronized int leastReady() {
    return leastReady;
  }

  /** Of those that have ended. */
  synchronized List<Integer> exitCodes() {
    return all.stream().filter(process -> !process.isAlive()).map(Process::exitValue).toList();
  }

  @Override
  public void close() throws InterruptedException {
    prober.interrupt();
    prober.join();
    watch.close();
  }
}
