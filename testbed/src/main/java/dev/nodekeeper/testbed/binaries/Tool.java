package dev.nodekeeper.testbed.binaries;

/** A program the testbed can need, and how it is built when nobody offers it ready-made. */
public enum Tool {
  ETCD("etcd", GoModule.ETCD, "", "half a minute"),
  KUBE_APISERVER("kube-apiserver", GoModule.KUBERNETES, "/cmd/kube-apiserver", "about 4 minutes"),
  KUBECTL("kubectl", GoModule.KUBERNETES, "/cmd/kubectl", "about a minute"),
  KUBE_CONTROLLER_MANAGER(
      "kube-controller-manager",
      GoModule.KUBERNETES,
      "/cmd/kube-controller-manager",
      "about 2 minutes"),
  KUBE_SCHEDULER("kube-scheduler", GoModule.KUBERNETES, "/cmd/kube-scheduler", "about 2 minutes"),
  KUBEMARK("kubemark", GoModule.KUBERNETES, "/cmd/kubemark", "about 2 minutes"),
  HELM("helm", GoModule.HELM, "/cmd/helm", "about 3 minutes"),
  KWOK("kwok", GoModule.KWOK, "/cmd/kwok", "about 2 minutes"),
  HTTP_ECHO("http-echo", GoModule.HTTP_ECHO, "", "half a minute");

  private final String fileName;
  private final GoModule module;
  private final String packageBelowModule;
  private final String buildTime;

  Tool(String fileName, GoModule module, String packageBelowModule, String buildTime) {
    this.fileName = fileName;
    this.module = module;
    this.packageBelowModule = packageBelowModule;
    this.buildTime = buildTime;
  }

  public String fileName() {
    return fileName;
  }

  public String version() {
    return module.version();
  }

  GoModule module() {
    return module;
  }

  String goPackage() {
    return module.path() + packageBelowModule;
  }

  String buildTime() {
    return buildTime;
  }
}
