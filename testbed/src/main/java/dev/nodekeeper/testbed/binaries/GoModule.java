package dev.nodekeeper.testbed.binaries;

import java.util.List;

/** The Go modules our programs are built from, with the versions this project is tested on. */
enum GoModule {
  ETCD("go.etcd.io/etcd/server/v3", "3.6.8", List.of()),
  HELM("helm.sh/helm/v3", "3.22.0", List.of()),
  HTTP_ECHO("github.com/hashicorp/http-echo", "1.0.0", List.of()),
  KWOK("sigs.k8s.io/kwok", "0.8.0", List.of()),
  KUBERNETES(
      "k8s.io/kubernetes",
      "1.36.3",
      List.of("gitVersion=v1.36.3", "gitMajor=1", "gitMinor=36", "gitTreeState=clean"));

  private final String path;
  private final String version;
  private final List<String> stamps;

  GoModule(String path, String version, List<String> stamps) {
    this.path = path;
    this.version = version;
    this.stamps = stamps;
  }

  String path() {
    return path;
  }

  String version() {
    return version;
  }

  /** Kubernetes publishes its staging modules as v0.MINOR.PATCH. */
  String stagingVersion() {
    return "v0" + version.substring(version.indexOf('.'));
  }

  String linkerFlags() {
    var flags = new StringBuilder("-s -w");
    stamps.forEach(stamp -> flags.append(" -X k8s.io/component-base/version.").append(stamp));
    return flags.toString();
  }
}
