package dev.nodekeeper.bench.phase;

import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.Tally;
import dev.nodekeeper.config.Settings.ClusterSettings;
import dev.nodekeeper.testbed.AuditLog;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Etcd;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A control plane of its own for one run: fresh data, and an audit log of only what we count. */
final class Stand implements AutoCloseable {
  static final String NAMESPACE = "nodekeeper";
  static final String RECORDS = "/api/v1/namespaces/" + NAMESPACE + "/configmaps";
  static final String NODES = "/api/v1/nodes";

  /** Where plain ConfigMaps go. */
  static final String PLAIN_MAPS = "/api/v1/namespaces/default/configmaps";

  /** The process under test. */
  static final String KEEPER = "nodekeeper";

  /** Who sends what ours is compared with: with the same rights, and written down the same way. */
  private static final String PLAIN = "plain";

  private static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      rules:
      - level: Metadata
        users: [%s, %s]
      - level: None
      """
          .formatted(KEEPER, PLAIN);

  private final Path auditPolicy;
  private final ControlPlane plane;
  private final HttpApi admin;
  private final HttpApi plain;
  private final Etcd etcd;

  private Stand(Path auditPolicy, ControlPlane plane) {
    this.auditPolicy = auditPolicy;
    this.plane = plane;
    this.etcd = plane.etcd();
    Rights.grant(plane.admin(), KEEPER, PLAIN);
    this.admin = connect(plane.adminKubeconfig());
    this.plain = connect(plane.kubeconfig(PLAIN));
  }

  static Stand start() {
    try {
      Path policy = Files.createTempFile("nodekeeper-bench-audit", ".yaml");
      Files.writeString(policy, AUDIT_POLICY);
      return new Stand(
          policy,
          ControlPlane.start(Options.defaults().apiServerFlag("--audit-policy-file=" + policy)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpApi connect(Path kubeconfig) {
    try {
      return HttpApi.connect(new ClusterSettings(kubeconfig.toString(), ""));
    } catch (NoClusterException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For kubelets, people, and looking. */
  HttpApi admin() {
    return admin;
  }

  /** For what ours is compared with. */
  HttpApi plain() {
    return plain;
  }

  Path keeperKubeconfig() {
    return plane.kubeconfig(KEEPER);
  }

  Etcd etcd() {
    return etcd;
  }

  /**
   * The API server starts anew: its watch caches begin at the revision of a write that no watch of
   * ours was told of, and are too young for all of them.
   */
  void forgetWatches() {
    var people = new Loader(admin);
    people.send(
        Call.post(
            PLAIN_MAPS,
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"untold\"}}"));
    people.send(Requests.delete(PLAIN_MAPS + "/untold"));
    plane.restart(Part.APISERVER);
  }

  AuditLog.Mark mark() {
    return plane.audit().mark();
  }

  /** What the process under test has asked for since. */
  Tally since(AuditLog.Mark mark) {
    return new Tally(plane.audit().since(mark).requests(KEEPER));
  }

  @Override
  public void close() {
    admin.close();
    plain.close();
    plane.close();
    try {
      Files.deleteIfExists(auditPolicy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
