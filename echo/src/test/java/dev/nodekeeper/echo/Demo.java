package dev.nodekeeper.echo;

import java.util.List;

/** {@code make up-echo}: a whole local cluster, the operator, and an Echo's life on it. */
final class Demo {
  private static final String SAMPLE = "deploy/samples/echo.yaml";

  private Demo() {}

  public static void main(String... args) throws Exception {
    System.out.println("Starting etcd, API server, controllers, scheduler, kwok and the operator");
    try (var world = new World()) {
      world.operator();
      show(world, "apply", "-f", SAMPLE);
      show(world, "wait", "--for=condition=Progressing=false", "echo/test-echo", "--timeout=3m");
      show(world, "get", "deployment,service,pods", "-l", "test.com/app=test-echo");
      show(world, "get", "echo");
      show(world, "scale", "echo/test-echo", "--replicas=3");
      show(
          world,
          "wait",
          "--for=jsonpath={.status.readyReplicas}=3",
          "echo/test-echo",
          "--timeout=3m");
      show(
          world,
          "patch",
          "echo/test-echo",
          "--type=merge",
          "-p",
          "{\"spec\":{\"text\":\"Hello again\"}}");
      show(world, "get", "echo");
      show(world, "get", "events", "--field-selector=involvedObject.kind=Echo");
      try {
        show(world, "apply", "-f", "deploy/samples/illegal.yaml");
      } catch (AssertionError refused) {
        System.out.println(refused.getMessage());
      }
      if (System.console() != null && System.console().isTerminal()) {
        System.out.println("\nTry it yourself; Ctrl-C ends everything:");
        System.out.println("  export KUBECONFIG=" + world.plane().adminKubeconfig());
        Thread.currentThread().join();
      }
      show(world, "delete", "-f", SAMPLE);
    }
    // The parts of the framework that are still around are no reason to stay.
    System.exit(0);
  }

  private static void show(World world, String... arguments) {
    System.out.println("\n$ kubectl " + String.join(" ", List.of(arguments)));
    System.out.print(world.kubectl(arguments));
  }
}
