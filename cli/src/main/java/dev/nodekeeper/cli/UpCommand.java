package dev.nodekeeper.cli;

import dev.nodekeeper.cli.up.Extent;
import dev.nodekeeper.cli.up.LocalUp;
import dev.nodekeeper.cli.up.UpFolder;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A local cluster to try nodekeeper on. */
@Command(
    name = "up",
    description = {
      "Start a local control plane, three machines and the controller, play the story of a node that"
          + " leaves and returns, and leave it all running.",
      "",
      "Needs no Docker: etcd, kube-apiserver and kubectl come from KUBEBUILDER_ASSETS, the cache, a"
          + " download, or are built once with Go.",
      "Everything is in one folder: NODEKEEPER_UP_DIR, else"
          + " $${XDG_STATE_HOME:-~/.local/state}/nodekeeper/up. NODEKEEPER_ variables of `run` reach"
          + " its controller."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME}",
      "  ${COMMAND-FULL-NAME} --full",
      "  NODEKEEPER_KEEP=labels,taints,annotations ${COMMAND-FULL-NAME}"
    })
final class UpCommand implements Callable<Integer> {
  private final Screen screen;
  private final Map<String, String> env;

  @Option(
      names = "--full",
      description =
          "Also controller-manager, scheduler and kwok, and the story of a workload that needs its"
              + " node's label and taint.")
  private boolean full;

  UpCommand(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  @Override
  public Integer call() {
    return new LocalUp(screen, UpFolder.of(env)).up(full ? Extent.FULL : Extent.SMALL);
  }
}
