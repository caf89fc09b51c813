package dev.nodekeeper.cli.it;

import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An overlay of {@code deploy/kustomize}, applied for real. */
public record Installed(ControlPlane plane, String overlay) {
  static final Path OVERLAYS = Path.of("..", "deploy", "kustomize", "overlays");
  public static final String NAMESPACE = "/api/v1/namespaces/nodekeeper";

  public static Installed on(ControlPlane plane, String overlay) {
    var installed = new Installed(plane, overlay);
    String namespace = OVERLAYS.resolveSibling("namespace.yaml").toString();
    installed.kubectl("apply", "--server-side", "-f", namespace);
    installed.kubectl("apply", "--server-side", "-k", OVERLAYS.resolve(overlay).toString());
    return installed;
  }

  public void uninstall() {
    kubectl("delete", "--wait=false", "-k", OVERLAYS.resolve(overlay).toString());
  }

  public String kubectl(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--kubeconfig=" + plane.adminKubeconfig()));
    all.addAll(List.of(arguments));
    var ran = Binaries.fromEnvironment(System.err::println).run(Tool.KUBECTL, all);
    if (ran.code() != 0) {
      throw new IllegalStateException("kubectl " + String.join(" ", all) + ": " + ran.output());
    }
    return ran.output();
  }
}
