package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.cli.look.Table;

/** What a person may do with a running {@code up}. */
final class ThingsToTry {
  private ThingsToTry() {}

  static void show(Screen screen, UpFolder folder, UpState state) {
    screen.line("The console: " + screen.bold("http://localhost:" + state.console() + "/"));
    screen.line("");
    screen.line("Things to try, while it stays running:");
    screen.line("");
    screen.line("  export KUBECONFIG=" + state.kubeconfig());
    screen.line("  alias kubectl=" + state.kubectl());
    screen.line("");
    Table table =
        new Table()
            .row("  ./nodekeeper list", "nodes and records, and whether they agree")
            .row("  ./nodekeeper show my-new-node", "one node beside its record, and why")
            .row("  ./nodekeeper diff my-new-node", "what differs, and who set it")
            .row("  ./nodekeeper doctor", "whether all is well")
            .row("  kubectl label node worker-2 team=storage", "put something on a node")
            .row(
                "  make restart-worker NODE=worker-2", "delete its Node and let the machine return")
            .row("  kubectl edit configmap my-new-node -n nodekeeper", "a record may be edited")
            .row("  tail -f " + folder.log(LocalCluster.CONTROLLER), "what the controller says")
            .row("  curl http://127.0.0.1:" + state.port() + "/metrics", "what it counts");
    new Prometheus(folder)
        .address()
        .ifPresent(
            address ->
                table.row("  open http://" + address + "/alerts", "Prometheus, and our alerts"));
    table.row("  make down", "end it all").lines().forEach(screen::line);
  }
}
