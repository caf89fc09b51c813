import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Taint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Registers many machines with the control plane of `up`, and waits until they have records. */
final class Crowd {
  private static final int SIZE = 4_000;
  private static final String RECORDS = "/api/v1/namespaces/nodekeeper/configmaps";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  public static void main(String[] args) throws InterruptedException {
    var plane = ControlPlane.attach(Path.of(args[0]));
    Fleet.of(plane).register(Fleet.machines("crowd", SIZE).stream().map(Crowd::furnished).toList());
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (plane.admin().list(RECORDS).size() < SIZE) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the crowd has no records");
      }
      Thread.sleep(1_000);
    }
  }

  /** As much as people put on a node. */
  private static Machine furnished(Machine machine) {
    var labels = new TreeMap<String, String>();
    for (int i = 0; i < 10; i++) {
      labels.put("fleet.example.com/key-" + i, "value-" + machine.name().hashCode() % (i + 2));
    }
    return machine
        .withLabels(labels)
        .withTaints(List.of(new Taint("dedicated", "team", "NoSchedule"), Taint.noSchedule("gpu")));
  }
}
