package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.testbed.binaries.OtherJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The machines of a detached control plane")
class MachinesIT {

  @TempDir Path folder;

  @Test
  @DisplayName("register, stay away when deleted, come back when restarted, end with the plane")
  void life() throws Exception {
    try (var plane = ControlPlane.start(Options.defaults().detached(folder))) {
      Machines.add(folder, List.of(Machine.named("worker-1"), Machine.named("worker-2")));
      try (var process = new OtherJvm(Player.class, folder.toString())) {
        await().until(() -> plane.admin().list("/api/v1/nodes").size() == 2);
        var before = plane.admin().get("/api/v1/nodes/worker-1").uid();
        Machines.restart(folder, "worker-1");
        var after = plane.admin().get("/api/v1/nodes/worker-1");
        assertThat(after.uid()).isNotEmpty().isNotEqualTo(before);

        plane.admin().delete("/api/v1/nodes/worker-2").expect();
        Machines.restart(folder, "worker-1");
        assertThat(plane.admin().get("/api/v1/nodes/worker-2").code()).isEqualTo(404);
        assertThatThrownBy(() -> Machines.restart(folder, "worker-9"))
            .hasMessageContaining("[worker-1, worker-2]");

        plane.close();
        assertThat(process.awaitEnd()).isZero();
      }
    }
  }

  /** The process that plays the machines. */
  static final class Player {
    public static void main(String[] arguments) {
      Machines.run(Path.of(arguments[0]));
    }
  }
}
