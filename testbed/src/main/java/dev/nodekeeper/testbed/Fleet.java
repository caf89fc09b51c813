package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Thousands of machines over few connections: the administrator acts as each kubelet, so admission
 * sees kubelets without a certificate for every one of them.
 */
public final class Fleet {

  private static final int PARALLEL = 32;

  private final Kube admin;

  private Fleet(Kube admin) {
    this.admin = admin;
  }

  public static Fleet of(ControlPlane plane) {
    return new Fleet(plane.admin());
  }

  /** Machines named {@code prefix-0} and on. */
  public static List<Machine> machines(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> Machine.named(prefix + "-" + i)).toList();
  }

  /** Registers all of them; fails on the first refusal. */
  public void register(Collection<Machine> machines) {
    each(machines, machine -> as(machine).create("/api/v1/nodes", machine.node()));
  }

  public void heartbeat(Collection<Machine> machines) {
    each(
        machines,
        machine ->
            as(machine).patch(machine.path() + "/status", Patch.STRATEGIC, machine.heartbeat()));
  }

  /** Deletes their Nodes as the administrator. */
  public void vanish(Collection<Machine> machines) {
    each(machines, machine -> admin.delete(machine.path()));
  }

  private Kube as(Machine machine) {
    return admin.impersonating(machine.user(), "system:nodes");
  }

  private static void each(Collection<Machine> machines, Function<Machine, Reply> action) {
    var tasks = new ArrayList<Callable<JsonNode>>();
    machines.forEach(machine -> tasks.add(() -> action.apply(machine).expect()));
    try (var threads = Executors.newFixedThreadPool(PARALLEL, Thread.ofVirtual().factory())) {
      for (var result : threads.invokeAll(tasks)) {
        result.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KubeException refused
          ? refused
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
