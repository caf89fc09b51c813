package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A machine and what its kubelet is configured to say about it. */
public record Machine(
    String name, Map<String, String> labels, List<Taint> taints, String providerId) {

  private static final String READY = "Ready";

  public Machine {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  public static Machine named(String name) {
    return new Machine(name, Map.of(), List.of(), "");
  }

  public Machine withLabel(String key, String value) {
    var more = new TreeMap<>(labels);
    more.put(key, value);
    return new Machine(name, more, taints, providerId);
  }

  public Machine withLabels(Map<String, String> all) {
    return new Machine(name, all, taints, providerId);
  }

  public Machine withTaints(List<Taint> all) {
    return new Machine(name, labels, all, providerId);
  }

  public Machine withProviderId(String id) {
    return new Machine(name, labels, taints, id);
  }

  /** The user its kubelet is. */
  public String user() {
    return "system:node:" + name;
  }

  public String path() {
    return "/api/v1/nodes/" + name;
  }

  /** Survives every re-registration, as the hardware's id does. */
  public String systemUuid() {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** The Node object a kubelet creates when it registers. */
  public JsonNode node() {
    var node = Json.MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    var metadata = node.putObject("metadata").put("name", name);
    var all = metadata.putObject("labels");
    facts().forEach(all::put);
    labels.forEach(all::put);
    metadata
        .putObject("annotations")
        .put("volumes.kubernetes.io/controller-managed-attach-detach", "true");
    var spec = node.putObject("spec");
    if (!providerId.isEmpty()) {
      spec.put("providerID", providerId);
    }
    if (!taints.isEmpty()) {
      spec.set("taints", Json.MAPPER.valueToTree(taints));
    }
    node.set("status", status());
    return node;
  }

  /** The patch of a kubelet's periodic status report. */
  JsonNode heartbeat() {
    var patch = Json.MAPPER.createObjectNode();
    addConditions(patch.putObject("status"));
    return patch;
  }

  private Map<String, String> facts() {
    return Map.of(
        "kubernetes.io/hostname", name,
        "kubernetes.io/os", "linux",
        "kubernetes.io/arch", "amd64",
        "beta.kubernetes.io/os", "linux",
        "beta.kubernetes.io/arch", "amd64");
  }

  private ObjectNode status() {
    var status = Json.MAPPER.createObjectNode();
    for (var amounts : List.of("capacity", "allocatable")) {
      status
          .putObject(amounts)
          .put("cpu", "4")
          .put("memory", "16Gi")
          .put("pods", "110")
          .put("ephemeral-storage", "100Gi");
    }
    status
        .putObject("nodeInfo")
        .put("machineID", systemUuid().replace("-", ""))
        .put("systemUUID", systemUuid())
        .put("bootID", UUID.randomUUID().toString())
        .put("kernelVersion", "6.1.0")
        .put("osImage", "Testbed Linux")
        .put("containerRuntimeVersion", "containerd://2.0.0")
        .put("kubeletVersion", "v1.36.3")
        .put("kubeProxyVersion", "")
        .put("operatingSystem", "linux")
        .put("architecture", "amd64");
    var addresses = status.putArray("addresses");
    addresses.addObject().put("type", "Hostname").put("address", name);
    addresses.addObject().put("type", "InternalIP").put("address", "10.1.0.1");
    status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 10250);
    addConditions(status);
    return status;
  }

  private static void addConditions(ObjectNode status) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var conditions = status.putArray("conditions");
    for (var type : List.of("MemoryPressure", "DiskPressure", "PIDPressure", READY)) {
      var good = type.equals(READY) ? "True" : "False";
      conditions
          .addObject()
          .put("type", type)
          .put("status", good)
          .put("reason", type.equals(READY) ? "KubeletReady" : "KubeletHasEnough")
          .put("message", "reported by the testbed")
          .put("lastHeartbeatTime", now);
    }
  }
}
