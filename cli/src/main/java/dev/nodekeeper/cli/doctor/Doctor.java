package dev.nodekeeper.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.api.Build;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Printable;
import dev.nodekeeper.look.Selector;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Asks, and writes nothing; reviews of rights are questions, too. */
public final class Doctor {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration SKEW = Duration.ofSeconds(5);
  private static final int NAMED = 3;

  private final HttpApi api;
  private final Settings settings;
  private final Cluster cluster;
  private final String account;

  /**
   * @param account whose rights are looked at; empty for who asks
   */
  public Doctor(HttpApi api, Settings settings, String account) {
    this.api = api;
    this.settings = settings;
    this.cluster = new Cluster(api, settings);
    this.account = account;
  }

  public List<Finding> examine() throws IOException {
    List<Finding> findings = new ArrayList<>();
    findings.add(version());
    findings.add(clock());
    findings.add(namespace());
    findings.addAll(rights());
    findings.add(watch());
    findings.add(lease());
    findings.addAll(records());
    return findings;
  }

  /** Nothing else makes sense without an answer to this one: it fails where the others tell. */
  private Finding version() throws IOException {
    JsonNode version = read("/version");
    String text = version.path("gitVersion").asText("unknown");
    int minor = number(version.path("minor").asText());
    return minor != 0 && minor < 28
        ? Finding.bad(
            "version",
            "Kubernetes %s, nodekeeper %s".formatted(text, Build.VERSION),
            "use Kubernetes 1.28 or later; earlier ones are not tested")
        : Finding.ok("version", "Kubernetes %s, nodekeeper %s".formatted(text, Build.VERSION));
  }

  private static int number(String text) {
    String digits = text.replaceAll("[^0-9]", "");
    return digits.isEmpty() || digits.length() > 6 ? 0 : Integer.parseInt(digits);
  }

  /** Leases and ages compare the server's time with that of who holds and asks. */
  private Finding clock() {
    Duration skew = Duration.between(Instant.ofEpochMilli(api.serverMillis()), Instant.now()).abs();
    return skew.compareTo(SKEW) > 0
        ? Finding.bad(
            "clock",
            "this computer and the API server are %d s apart".formatted(skew.toSeconds()),
            "let both follow NTP; records and leases carry times")
        : Finding.ok("clock", "this computer and the API server agree within 5 s");
  }

  private Finding namespace() throws IOException {
    String name = settings.namespace();
    Reply reply = api.send(Call.get("/api/v1/namespaces/" + name));
    if (reply.status() == 404) {
      return Finding.bad("namespace", name + " is missing", "kubectl create namespace " + name);
    }
    if (!reply.ok()) {
      return Finding.ok("namespace", name + " (you may not look at namespaces)");
    }
    boolean leaving = MAPPER.readTree(reply.body()).path("metadata").has("deletionTimestamp");
    return leaving
        ? Finding.bad(
            "namespace",
            name + " is being deleted, and all records with it",
            "export the records now: nodekeeper export >records.yaml")
        : Finding.ok("namespace", name + " is there");
  }

  /** The rights of the controller, as deploy/kustomize/base/rbac.yaml grants them. */
  private enum Right {
    NODES("", "nodes", Where.CLUSTER, "get", "list", "watch", "patch"),
    RECORDS(
        "", "configmaps", Where.NAMESPACE, "get", "list", "watch", "create", "update", "delete"),
    LEASES(
        "coordination.k8s.io",
        "leases",
        Where.NAMESPACE,
        "get",
        "list",
        "create",
        "update",
        "delete"),
    EVENTS("", "events", Where.DEFAULT, "create");

    enum Where {
      CLUSTER,
      NAMESPACE,
      DEFAULT
    }

    private final String group;
    private final String resource;
    private final Where where;
    private final List<String> verbs;

    Right(String group, String resource, Where where, String... verbs) {
      this.group = group;
      this.resource = resource;
      this.where = where;
      this.verbs = List.of(verbs);
    }
  }

  private List<Finding> rights() throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (Right right : Right.values()) {
      List<String> lacking = new ArrayList<>();
      for (String verb : right.verbs) {
        Optional<Boolean> allowed = allowed(right, verb);
        if (allowed.isEmpty()) {
          findings.add(
              Finding.bad(
                  "rights",
                  "you may not ask for the rights of " + account,
                  "run it as somebody who may create subjectaccessreviews, or without --account"));
          return findings;
        }
        if (!allowed.get()) {
          lacking.add(verb);
        }
      }
      String who = account.isEmpty() ? "you" : account;
      String what = "%s %s".formatted(String.join(", ", right.verbs), right.resource);
      findings.add(
          lacking.isEmpty()
              ? Finding.ok("rights", "%s may %s".formatted(who, what))
              : Finding.bad(
                  "rights",
                  "%s may not %s %s".formatted(who, String.join(", ", lacking), right.resource),
                  "kubectl apply -k deploy/kustomize/overlays/single, or the chart, grants it"));
    }
    return findings;
  }

  /** Empty when that question itself is refused. */
  private Optional<Boolean> allowed(Right right, String verb) throws IOException {
    var body = MAPPER.createObjectNode().put("apiVersion", "authorization.k8s.io/v1");
    body.put("kind", account.isEmpty() ? "SelfSubjectAccessReview" : "SubjectAccessReview");
    var spec = body.putObject("spec");
    if (!account.isEmpty()) {
      spec.put("user", account);
      var groups = spec.putArray("groups").add("system:authenticated");
      if (account.startsWith("system:serviceaccount:")) {
        groups.add("system:serviceaccounts");
      }
    }
    spec.putObject("resourceAttributes")
        .put("group", right.group)
        .put("resource", right.resource)
        .put("verb", verb)
        .put(
            "namespace",
            switch (right.where) {
              case CLUSTER -> "";
              case NAMESPACE -> settings.namespace();
              case DEFAULT -> "default";
            });
    String reviews = account.isEmpty() ? "selfsubjectaccessreviews" : "subjectaccessreviews";
    Reply reply = api.send(Call.post("/apis/authorization.k8s.io/v1/" + reviews, body.toString()));
    return reply.ok()
        ? Optional.of(MAPPER.readTree(reply.body()).path("status").path("allowed").asBoolean(false))
        : Optional.empty();
  }

  /** Proxies that hold back what they get let lists pass, but no watch. */
  private Finding watch() {
    long began = System.nanoTime();
    String path = Cluster.NODES + "?watch=true&timeoutSeconds=1";
    try (Lines lines = api.watch(path)) {
      byte[] first = lines.next();
      long millis = (System.nanoTime() - began) / 1_000_000;
      return Finding.ok(
          "watch",
          first == null
              ? "opened and ended in good order, without a node in it"
              : "the first event came after %d ms".formatted(millis));
    } catch (IOException e) {
      return Finding.bad(
          "watch",
          Printable.line(String.valueOf(e.getMessage())),
          "look for a proxy between here and the API server that buffers, and for the right to"
              + " watch nodes");
    }
  }

  private Finding lease() throws IOException {
    String path =
        "/apis/coordination.k8s.io/v1/namespaces/%s/leases?labelSelector=%s"
            .formatted(settings.namespace(), "app.kubernetes.io%2Fmanaged-by%3Dnodekeeper");
    Reply reply = api.send(Call.get(path));
    if (!reply.ok()) {
      return Finding.bad(
          "lease",
          "leases cannot be looked at: " + Printable.line(reply.failure().text()),
          "ask somebody who may list leases in namespace " + settings.namespace());
    }
    Instant now = Instant.ofEpochMilli(api.serverMillis());
    List<JsonNode> leases =
        StreamSupport.stream(MAPPER.readTree(reply.body()).path("items").spliterator(), false)
            .map(lease -> lease.path("spec"))
            .toList();
    List<String> holders =
        leases.stream()
            .filter(spec -> alive(spec, now))
            .map(spec -> spec.path("holderIdentity").asText())
            .distinct()
            .sorted()
            .toList();
    return holders.isEmpty()
        ? Finding.bad(
            "lease",
            leases.isEmpty()
                ? "no controller has ever run here with leases"
                : "nobody renews the %d leases: no controller runs".formatted(leases.size()),
            "start one (nodekeeper run, or see its pods), unless it runs with --shards 0")
        : Finding.ok(
            "lease", "%d controllers renew %d leases".formatted(holders.size(), leases.size()));
  }

  private static boolean alive(JsonNode spec, Instant now) {
    return !spec.path("holderIdentity").asText("").isEmpty()
        && Instant.parse(spec.path("renewTime").asText("1970-01-01T00:00:00Z"))
            .plusSeconds(spec.path("leaseDurationSeconds").asLong())
            .isAfter(now);
  }

  private List<Finding> records() throws IOException {
    List<Stored> records;
    int nodes;
    try {
      records = cluster.snapshot(Selector.ALL).records();
      nodes = cluster.names().size();
    } catch (UnreachableException e) {
      throw e;
    } catch (IOException e) {
      return List.of(
          Finding.bad(
              "records",
              "cannot be read: " + Printable.line(String.valueOf(e.getMessage())),
              "ask somebody who may list nodes and configmaps"));
    }
    List<Finding> findings = new ArrayList<>();
    List<String> broken =
        records.stream().filter(Unreadable.class::isInstance).map(Stored::node).toList();
    findings.add(
        broken.isEmpty()
            ? Finding.ok("records", "%d records, %d nodes".formatted(records.size(), nodes))
            : Finding.bad(
                "records",
                "%d of %d cannot be read: %s"
                    .formatted(broken.size(), records.size(), some(broken)),
                "nodekeeper show NODE says why; repair or delete the ConfigMap"));
    List<String> odd =
        records.stream()
            .filter(stored -> stored instanceof NodeRecord record && !record.notes().isEmpty())
            .map(Stored::node)
            .toList();
    if (!odd.isEmpty()) {
      findings.add(
          Finding.bad(
              "records",
              "%d have entries that no node can take: %s".formatted(odd.size(), some(odd)),
              "nodekeeper show NODE lists them; edit the ConfigMap"));
    }
    return findings;
  }

  private static String some(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
        + (names.size() > NAMED ? " and %d more".formatted(names.size() - NAMED) : "");
  }

  private JsonNode read(String path) throws IOException {
    Reply reply = api.send(Call.get(path));
    if (!reply.ok()) {
      throw new RefusedException("GET " + path, reply);
    }
    return MAPPER.readTree(reply.body());
  }
}
