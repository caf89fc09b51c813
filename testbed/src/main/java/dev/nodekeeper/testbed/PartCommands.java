package dev.nodekeeper.testbed;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of every part. */
record PartCommands(
    Layout layout,
    Pki pki,
    Ports ports,
    Options.Durability durability,
    List<String> apiServerFlags) {

  private static final String LOCAL = "127.0.0.1";

  /**
   * Every stage of every request, so that nothing is served unless it was written down first; see
   * {@link AuditLog}.
   */
  static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      rules:
      - level: Metadata
      """;

  URI server() {
    return URI.create("https://" + LOCAL + ":" + ports.apiServer());
  }

  URI etcdAddress() {
    return URI.create("http://" + LOCAL + ":" + ports.etcdClient());
  }

  URI health(Part part) {
    return switch (part) {
      case ETCD -> etcdAddress().resolve("/health");
      case APISERVER -> server().resolve("/readyz");
      case CONTROLLER_MANAGER, SCHEDULER ->
          URI.create("https://" + LOCAL + ":" + ports.of(part) + "/healthz");
    };
  }

  List<String> of(Part part, Path program, Path adminKubeconfig) {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(
        switch (part) {
          case ETCD -> etcd();
          case APISERVER -> apiServer();
          case CONTROLLER_MANAGER -> controllerManager(adminKubeconfig);
          case SCHEDULER -> client(Part.SCHEDULER, adminKubeconfig);
        });
    return command;
  }

  private List<String> etcd() {
    var client = "http://" + LOCAL + ":" + ports.etcdClient();
    var peer = "http://" + LOCAL + ":" + ports.etcdPeer();
    var flags =
        new ArrayList<>(
            List.of(
                "--name=testbed",
                "--data-dir=" + layout.etcdData(),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=testbed=" + peer,
                // 100,000 nodes with their history need more than etcd's usual 8 GiB.
                "--quota-backend-bytes=17179869184",
                "--log-level=warn"));
    if (durability == Options.Durability.NO_FSYNC) {
      flags.add("--unsafe-no-fsync");
    }
    return flags;
  }

  private List<String> apiServer() {
    var flags =
        new ArrayList<>(
            List.of(
                "--etcd-servers=http://" + LOCAL + ":" + ports.etcdClient(),
                "--bind-address=" + LOCAL,
                "--advertise-address=" + LOCAL,
                "--secure-port=" + ports.apiServer(),
                "--tls-cert-file=" + pki.serverCertificate(),
                "--tls-private-key-file=" + pki.serverKey(),
                "--client-ca-file=" + pki.authorityCertificate(),
                "--service-account-key-file=" + pki.serviceAccountPublicKey(),
                "--service-account-signing-key-file=" + pki.serviceAccountKey(),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--authorization-mode=Node,RBAC",
                "--enable-admission-plugins=NodeRestriction",
                "--disable-admission-plugins=ServiceAccount",
                "--service-cluster-ip-range=10.0.0.0/24",
                "--max-requests-inflight=3000",
                "--max-mutating-requests-inflight=1000",
                "--audit-policy-file=" + layout.auditPolicy(),
                "--audit-log-path=" + layout.auditLog(),
                "--audit-log-mode=blocking-strict",
                // Never rotate: a mark is an offset in the one file.
                "--audit-log-maxsize=1000000"));
    flags.addAll(apiServerFlags);
    return flags;
  }

  private List<String> controllerManager(Path adminKubeconfig) {
    var flags = new ArrayList<>(client(Part.CONTROLLER_MANAGER, adminKubeconfig));
    flags.add("--service-account-private-key-file=" + pki.serviceAccountKey());
    flags.add("--root-ca-file=" + pki.authorityCertificate());
    // Usually 15 s, of which a test of an autoscaler would wait the most.
    flags.add("--horizontal-pod-autoscaler-sync-period=1s");
    return flags;
  }

  private List<String> client(Part part, Path adminKubeconfig) {
    return List.of(
        "--kubeconfig=" + adminKubeconfig,
        "--leader-elect=false",
        // At the usual 20 a second a test with many objects would wait for nothing else.
        "--kube-api-qps=1000",
        "--kube-api-burst=1000",
        "--bind-address=" + LOCAL,
        "--secure-port=" + ports.of(part),
        "--tls-cert-file=" + pki.serverCertificate(),
        "--tls-private-key-file=" + pki.serverKey());
  }
}
