package dev.nodekeeper.bench.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * What a kubelet sends: the whole Node when it registers, status included (the server keeps it),
 * and its conditions every five minutes. Together with what the server adds about 10 KB, of which
 * most is images and managed fields, as on a real node.
 */
public final class KubeletBody {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int IMAGES = 22;
  private static final List<String> CONDITIONS =
      List.of("NetworkUnavailable", "MemoryPressure", "DiskPressure", "PIDPressure", "Ready");

  private static final Map<String, String> FACTS = facts();

  private final Template registration;

  public KubeletBody(long seed) {
    registration = new Template(node(new SplittableRandom(seed)).toString());
  }

  /** The body of the POST by which this machine registers. */
  public String registration(int index, String name) {
    return registration.fill(
        Map.of(
            "name",
            name,
            "uuid",
            UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString(),
            "ip",
            "10.%d.%d.%d".formatted((index >> 16) & 255, (index >> 8) & 255, index & 255),
            "zone",
            "eu-central-1" + (char) ('a' + index % 3)));
  }

  /** The strategic merge patch of the status; the same for all machines in the same second. */
  public static String heartbeat() {
    var patch = JSON.createObjectNode();
    conditions(patch.putObject("status"));
    return patch.toString();
  }

  private static ObjectNode node(SplittableRandom random) {
    var node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    var metadata = node.putObject("metadata").put("name", "${name}");
    metadata.set("labels", JSON.valueToTree(FACTS));
    metadata
        .putObject("annotations")
        .put("volumes.kubernetes.io/controller-managed-attach-detach", "true")
        .put("csi.volume.kubernetes.io/nodeid", "{\"ebs.csi.aws.com\":\"i-${uuid}\"}");
    node.putObject("spec").put("providerID", "aws:///${zone}/i-${uuid}");
    var status = node.putObject("status");
    resources(status);
    conditions(status);
    var addresses = status.putArray("addresses");
    addresses.addObject().put("type", "InternalIP").put("address", "${ip}");
    addresses.addObject().put("type", "Hostname").put("address", "${name}");
    status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 10250);
    info(status);
    images(status, random);
    return node;
  }

  static boolean isFact(String label) {
    return FACTS.containsKey(label);
  }

  /** 15 labels that describe the machine: none of them is anybody's to remember. */
  private static Map<String, String> facts() {
    var labels = new LinkedHashMap<String, String>();
    labels.put("kubernetes.io/hostname", "${name}");
    for (var prefix : List.of("kubernetes.io/", "beta.kubernetes.io/")) {
      labels.put(prefix + "os", "linux");
      labels.put(prefix + "arch", "amd64");
    }
    labels.put("node.kubernetes.io/instance-type", "p5.48xlarge");
    labels.put("beta.kubernetes.io/instance-type", "p5.48xlarge");
    for (var prefix : List.of("topology.kubernetes.io/", "failure-domain.beta.kubernetes.io/")) {
      labels.put(prefix + "region", "eu-central-1");
      labels.put(prefix + "zone", "${zone}");
    }
    labels.put("topology.ebs.csi.aws.com/zone", "${zone}");
    labels.put("nvidia.com/gpu.count", "8");
    labels.put("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3");
    labels.put("feature.node.kubernetes.io/cpu-model.vendor_id", "AMD");
    return labels;
  }

  private static void resources(ObjectNode status) {
    for (var amounts : List.of("capacity", "allocatable")) {
      status
          .putObject(amounts)
          .put("cpu", "192")
          .put("memory", "2113392Mi")
          .put("pods", "110")
          .put("ephemeral-storage", "1800Gi")
          .put("hugepages-1Gi", "0")
          .put("hugepages-2Mi", "0")
          .put("nvidia.com/gpu", "8");
    }
  }

  private static void conditions(ObjectNode status) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var conditions = status.putArray("conditions");
    for (var type : CONDITIONS) {
      var ready = type.equals("Ready");
      conditions
          .addObject()
          .put("type", type)
          .put("status", ready ? "True" : "False")
          .put("lastHeartbeatTime", now)
          .put("lastTransitionTime", "2026-11-01T06:00:00Z")
          .put("reason", ready ? "KubeletReady" : "KubeletHasNo" + type)
          .put("message", ready ? "kubelet is posting ready status" : "kubelet has no " + type);
    }
  }

  private static void info(ObjectNode status) {
    status
        .putObject("nodeInfo")
        .put("machineID", "${uuid}")
        .put("systemUUID", "${uuid}")
        .put("bootID", "${uuid}")
        .put("kernelVersion", "6.8.0-1031-aws")
        .put("osImage", "Ubuntu 24.04.3 LTS")
        .put("containerRuntimeVersion", "containerd://2.1.4")
        .put("kubeletVersion", "v1.36.3")
        .put("kubeProxyVersion", "")
        .put("operatingSystem", "linux")
        .put("architecture", "amd64");
  }

  private static void images(ObjectNode status, SplittableRandom random) {
    var images = status.putArray("images");
    for (int i = 0; i < IMAGES; i++) {
      var digest = new byte[32];
      random.nextBytes(digest);
      var repository = "registry.example.com/platform/component-" + i;
      var image = images.addObject();
      image
          .putArray("names")
          .add(repository + "@sha256:" + HexFormat.of().formatHex(digest))
          .add(repository + ":v1." + i + ".0");
      image.put("sizeBytes", random.nextLong(5_000_000, 9_000_000_000L));
    }
  }
}
