package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.config.LogFormat;
import dev.nodekeeper.config.LogLevel;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.telemetry.Logging;
import dev.nodekeeper.testbed.AuditLog;
import dev.nodekeeper.testbed.AuditLog.Request;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.ServiceAccount;
import dev.nodekeeper.testbed.SharedControlPlane;
import dev.nodekeeper.testbed.fault.FaultProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A test's own corner of a control plane, by default the shared one: a namespace, a service account
 * with exactly our rights, whose token we use, and words for what people, machines and we do.
 * Closing it stops us and removes every node. With {@code -Dnodekeeper.roles=split} we are two: one
 * that captures and one that restores, each with an account and rights of its own. With {@code
 * -Dnodekeeper.image=NAME} we run in containers of that image.
 */
public final class World implements AutoCloseable {
  public static final Duration HANG = Duration.ofSeconds(60);
  public static final ObjectMapper JSON = new ObjectMapper();
  static final List<Role> SPLIT = List.of(Role.CAPTURE, Role.RESTORE);
  private static final String PROBE = "probe-";
  private static final String IMAGE = System.getProperty("nodekeeper.image", "");
  private static final AtomicInteger NUMBER = new AtomicInteger();

  static {
    Logging.configure(LogLevel.WARN, LogFormat.TEXT);
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(25));
  }

  public final ControlPlane plane;
  public final Kube admin;
  public final Fleet fleet;
  public final String namespace;

  /** The account's. Whoever goes through a proxy shows a certificate of the same name. */
  public final String user;

  private final List<Role> roles;
  private final Map<Role, Path> kubeconfigs = new EnumMap<>(Role.class);
  private final List<AutoCloseable> running = new ArrayList<>();

  public World() {
    this(SharedControlPlane.get());
  }

  public World(ControlPlane plane) {
    this(
        plane,
        System.getProperty("nodekeeper.roles", "").equals("split") ? SPLIT : List.of(Role.ALL));
  }

  World(ControlPlane plane, List<Role> roles) {
    this(plane, "nk-" + NUMBER.incrementAndGet(), roles);
    admin.create("/api/v1/namespaces", object("Namespace", namespace)).expect();
    for (Role role : roles) {
      // Now: later the API server may be in trouble.
      kubeconfigs.put(role, account(role).create().kubeconfig());
      Rights.grant(admin, user(role), namespace, role);
    }
  }

  private World(ControlPlane plane, String namespace, List<Role> roles) {
    this.plane = plane;
    this.namespace = namespace;
    this.roles = roles;
    this.admin = plane.admin();
    this.fleet = Fleet.of(plane);
    this.user = user(Role.ALL);
  }

  /** For our manifests, which bring namespace, account and rights. */
  public static World toInstall(ControlPlane plane) {
    return new World(plane, "nodekeeper", List.of(Role.ALL));
  }

  // ---- we

  public Running keeper(String... flags) {
    List<Running.Part> parts = new ArrayList<>();
    Running keeper = new Running(parts);
    running.add(keeper);
    try {
      for (Role role : roles) {
        parts.add(
            IMAGE.isEmpty()
                ? new Running.Here(Nodekeeper.start(settings(role, flags)))
                : InContainer.start(IMAGE, account(role), arguments(role, flags)));
      }
      keeper.awaitReady(HANG);
    } catch (Exception e) {
      throw new IllegalStateException("Nodekeeper did not start", e);
    }
    return keeper;
  }

  /** Who we are: one that does all, or one for each task. */
  List<Role> roles() {
    return roles;
  }

  private ServiceAccount account(Role role) {
    String name = role == Role.ALL ? "nodekeeper" : "nodekeeper-" + word(role);
    return new ServiceAccount(plane, namespace, name);
  }

  String user(Role role) {
    return account(role).user();
  }

  private static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  public Settings settings(String... flags) throws Exception {
    return settings(Role.ALL, flags);
  }

  private Settings settings(Role role, String... flags) throws Exception {
    Map<String, List<String>> all = new HashMap<>();
    arguments(role, flags)
        .forEach(
            flag -> {
              int is = flag.indexOf('=');
              all.computeIfAbsent(flag.substring(0, is), _ -> new ArrayList<>())
                  .add(flag.substring(is + 1));
            });
    return Settings.parse(all, Map.of());
  }

  /** A flag that is given takes the place of our own choice. */
  public List<String> arguments(Role role, String... flags) {
    List<String> all = new ArrayList<>(Arrays.asList(flags));
    for (String ours :
        List.of(
            "--namespace=" + namespace,
            "--role=" + word(role),
            "--kubeconfig=" + kubeconfig(role),
            "--http-port=0",
            "--console=off",
            // Safety needs no leases: most tests do without, and what they show holds the more.
            "--shards=0",
            "--log-level=warn")) {
      String name = ours.substring(0, ours.indexOf('=') + 1);
      if (all.stream().noneMatch(flag -> flag.startsWith(name))) {
        all.add(ours);
      }
    }
    return all;
  }

  /** A way of our user to the API server with trouble on it; {@code keeper(through(proxy))}. */
  public FaultProxy proxy() {
    FaultProxy proxy = FaultProxy.before(plane, user);
    running.add(proxy);
    return proxy;
  }

  public static String through(FaultProxy proxy) {
    return "--kubeconfig=" + proxy.kubeconfig();
  }

  public Path kubeconfig() {
    return kubeconfig(Role.ALL);
  }

  private Path kubeconfig(Role role) {
    return kubeconfigs.computeIfAbsent(role, _ -> account(role).kubeconfig());
  }

  public void stop(Running keeper) {
    running.remove(keeper);
    keeper.close();
  }

  public void closeLater(AutoCloseable thing) {
    running.add(thing);
  }

  // ---- machines

  public JsonNode register(Machine machine) {
    return admin
        .impersonating(machine.user(), "system:nodes")
        .create("/api/v1/nodes", machine.node())
        .expect();
  }

  public JsonNode register(String name) {
    return register(Machine.named(name));
  }

  /** By a person, without a kubelet's facts. */
  public void create(String name) {
    admin.create("/api/v1/nodes", object("Node", name)).expect();
  }

  public void vanish(String name) {
    admin.delete("/api/v1/nodes/" + name).expect();
  }

  // ---- people

  public JsonNode label(String node, String key, String value) {
    return merge(node, "metadata", "labels", key, value);
  }

  public JsonNode unlabel(String node, String key) {
    return merge(node, "metadata", "labels", key, null);
  }

  public JsonNode annotate(String node, String key, String value) {
    return merge(node, "metadata", "annotations", key, value);
  }

  private JsonNode merge(String node, String part, String map, String key, String value) {
    ObjectNode patch = JSON.createObjectNode();
    patch.putObject(part).putObject(map).put(key, value);
    return admin.patch("/api/v1/nodes/" + node, Patch.MERGE, patch).expect();
  }

  /** Each as key=value:effect; replaces the whole list, as every client does. */
  public JsonNode taint(String node, String... taints) {
    ObjectNode patch = JSON.createObjectNode();
    var list = patch.putObject("spec").putArray("taints");
    for (String taint : taints) {
      String[] parts = taint.split("[=:]", 3);
      list.addObject().put("key", parts[0]).put("value", parts[1]).put("effect", parts[2]);
    }
    return admin.patch("/api/v1/nodes/" + node, Patch.MERGE, patch).expect();
  }

  public JsonNode cordon(String node) {
    ObjectNode patch = JSON.createObjectNode();
    patch.putObject("spec").put("unschedulable", true);
    return admin.patch("/api/v1/nodes/" + node, Patch.MERGE, patch).expect();
  }

  // ---- what is there

  public JsonNode node(String name) {
    return admin.get("/api/v1/nodes/" + name).expect();
  }

  /** Null where there is no such label, or no such node. */
  public String labelOf(String node, String key) {
    var reply = admin.get("/api/v1/nodes/" + node);
    return reply.body().path("metadata").path("labels").path(key).asText(null);
  }

  /** Without the facts that every kubelet reports. */
  public static Map<String, String> labels(JsonNode node) {
    Map<String, String> labels = new TreeMap<>();
    node.path("metadata")
        .path("labels")
        .properties()
        .forEach(
            label -> {
              if (!label.getKey().contains("kubernetes.io/os")
                  && !label.getKey().contains("kubernetes.io/arch")
                  && !label.getKey().equals("kubernetes.io/hostname")) {
                labels.put(label.getKey(), label.getValue().asText());
              }
            });
    return labels;
  }

  public Map<String, String> labels(String node) {
    return labels(node(node));
  }

  /** Without those that the control plane itself puts on a new node. */
  public static List<String> taints(JsonNode node) {
    List<String> taints = allTaints(node);
    taints.removeIf(taint -> taint.startsWith("node.kubernetes.io/"));
    return taints;
  }

  public static List<String> allTaints(JsonNode node) {
    List<String> taints = new ArrayList<>();
    node.path("spec")
        .path("taints")
        .forEach(
            t ->
                taints.add(
                    t.path("key").asText()
                        + "="
                        + t.path("value").asText("")
                        + ":"
                        + t.path("effect").asText()));
    taints.sort(null);
    return taints;
  }

  public List<String> taints(String node) {
    return taints(node(node));
  }

  public String recordPath(String node) {
    return "/api/v1/namespaces/" + namespace + "/configmaps/" + node;
  }

  public boolean hasRecord(String node) {
    return admin.get(recordPath(node)).ok();
  }

  /** What people read: record.json. */
  public JsonNode record(String node) {
    var reply = admin.get(recordPath(node));
    try {
      return reply.ok()
          ? JSON.readTree(reply.body().path("data").path("record.json").asText())
          : JSON.missingNode();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public void editRecord(String node, java.util.function.Consumer<ObjectNode> edit) {
    ObjectNode record = (ObjectNode) record(node);
    edit.accept(record);
    writeRecord(node, record.toPrettyString());
  }

  public void writeRecord(String node, String json) {
    ObjectNode patch = JSON.createObjectNode();
    patch.putObject("data").put("record.json", json);
    admin.patch(recordPath(node), Patch.MERGE, patch).expect();
  }

  public void awaitRecordLabel(String node, String key, String value) {
    await("record of " + node + " has " + key + "=" + value)
        .atMost(HANG)
        .untilAsserted(
            () -> assertThat(record(node).path("labels").path(key).asText(null)).isEqualTo(value));
  }

  public void awaitLabel(String node, String key, String value) {
    await("node " + node + " has " + key + "=" + value)
        .atMost(HANG)
        .untilAsserted(() -> assertThat(labelOf(node, key)).isEqualTo(value));
  }

  /** Until everything that people did has reached us: we have worked off what came before it. */
  public void settle(Running keeper) {
    String probe = PROBE + NUMBER.incrementAndGet();
    register(probe);
    taint(probe, "probe=:NoSchedule");
    await("record of " + probe).atMost(HANG).until(() -> hasRecord(probe));
    if (roles.size() > 1) {
      // It has reached the one that captures; now the other.
      vanish(probe);
      register(probe);
      await("restored " + probe).atMost(HANG).until(() -> !taints(probe).isEmpty());
    }
    await("quiet").atMost(HANG).until(keeper::idle);
    vanish(probe);
    admin.delete(recordPath(probe)).expect();
  }

  public AuditLog.Mark mark() {
    return plane.audit().mark();
  }

  /**
   * What we asked the API server for since then; watches, events on nodes, and what {@link #settle}
   * did, aside.
   */
  public Map<String, Long> requestsSince(AuditLog.Mark mark) {
    return roles.stream()
        .flatMap(role -> plane.audit().since(mark).requests(user(role)).stream())
        .filter(request -> !request.verb().equals("watch"))
        .filter(request -> !request.resource().equals("events"))
        .filter(request -> !request.name().startsWith(PROBE))
        .collect(Collectors.groupingBy(Request::what, TreeMap::new, Collectors.counting()));
  }

  public static ObjectNode object(String kind, String name) {
    ObjectNode object = JSON.createObjectNode();
    object.put("apiVersion", "v1").put("kind", kind).putObject("metadata").put("name", name);
    return object;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : running.reversed()) {
      each.close();
    }
    admin.delete("/api/v1/nodes").expect();
    admin.delete("/api/v1/namespaces/" + namespace + "/configmaps").expect();
  }
}
