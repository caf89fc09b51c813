package dev.nodekeeper.it.fault;

import static dev.nodekeeper.it.World.through;
import static dev.nodekeeper.testbed.fault.Match.any;
import static dev.nodekeeper.testbed.fault.Match.put;
import static dev.nodekeeper.testbed.fault.Match.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.RunProcess;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.fault.FaultProxy;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName(
    "One of two replicas is cut off or frozen: the other goes on, the late one does no harm")
final class ReplicaFaultsIT {
  private static final List<String> ORDER = List.of("old", "mid", "new");

  private final World world = new World();
  private final FaultProxy proxy = world.proxy();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  /** What befalls the second replica. */
  enum Trouble {
    CUT_OFF {
      @Override
      void begin(FaultProxy proxy, Process replica) {
        proxy.shut();
      }
    },
    HALF_OPEN {
      @Override
      void begin(FaultProxy proxy, Process replica) {
        proxy.fallSilent();
      }
    },
    REQUESTS_LOST {
      @Override
      void begin(FaultProxy proxy, Process replica) {
        proxy.on(any()).muteRequests();
        // It sees nodes but not what the other one records, so it sends captures of its own.
        proxy.on(watch("configmaps")).muteReplies();
      }
    },
    REPLIES_LOST {
      @Override
      void begin(FaultProxy proxy, Process replica) {
        proxy.on(any()).muteReplies();
      }
    },
    FROZEN {
      @Override
      void begin(FaultProxy proxy, Process replica) {
        RunProcess.signal(replica, "STOP");
      }
    };

    abstract void begin(FaultProxy proxy, Process replica);

    void end(FaultProxy proxy, Process replica) {
      RunProcess.signal(replica, "CONT");
      proxy.heal();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("the other does all the work; what the late one still sends is refused or the same")
  void oneReplicaInTrouble(Trouble trouble) {
    List<String> recorded = new CopyOnWriteArrayList<>();
    world.closeLater(
        world.admin.watch(
            "/api/v1/namespaces/" + world.namespace + "/configmaps",
            event -> recorded.add(teamOfEdited(event.path("object")))));
    Running well = world.keeper();
    Process troubled = RunProcess.start(world, through(proxy));
    List<String> names = List.of("edited", "flapped", "returned", "away", "cleared", "rested");
    names.forEach(world::register);
    names.forEach(name -> world.label(name, "team", "old"));
    names.forEach(name -> world.taint(name, "dedicated=old:NoSchedule"));
    names.forEach(name -> world.awaitRecordLabel(name, "team", "old"));
    await("the second replica is there")
        .atMost(World.HANG)
        .until(() -> proxy.journal().stream().filter(call -> call.isWatch()).count() >= 2);

    trouble.begin(proxy, troubled);
    world.label("edited", "team", "mid");
    world.awaitRecordLabel("edited", "team", "mid");
    if (trouble == Trouble.REQUESTS_LOST) {
      await("a capture that will be late")
          .atMost(World.HANG)
          .until(() -> proxy.count(put(world.recordPath("edited"))) > 0);
    }
    world.label("edited", "team", "new");
    world.label("flapped", "team", "new");
    world.vanish("flapped");
    world.register("flapped");
    world.vanish("returned");
    world.register("returned");
    world.label("returned", "team", "new");
    world.label("away", "team", "new");
    world.vanish("away");
    world.unlabel("cleared", "team");
    check(names.subList(0, 3), well);
    world.awaitRecordLabel("away", "team", "new");
    world.awaitRecordLabel("cleared", "team", null);

    trouble.end(proxy, troubled);
    await("what the late one had sent has arrived")
        .atMost(World.HANG)
        .until(() -> proxy.journal().stream().noneMatch(call -> call.status() == 0));
    world.register("away");
    check(List.of("edited", "flapped", "returned", "away"), well);
    assertThat(world.labels("cleared")).isEmpty();
    world.awaitRecordLabel("cleared", "team", null);
    assertThat(world.labels("rested")).isEqualTo(Map.of("team", "old"));

    // It never went back, not for a moment.
    recorded.removeIf(String::isEmpty);
    assertThat(recorded.stream().distinct()).containsExactlyElementsOf(ORDER);
    assertThat(recorded).isSortedAccordingTo(Comparator.comparing(ORDER::indexOf));

    // Alone, the once troubled one knows all of it.
    world.stop(well);
    world.label("rested", "team", "alone");
    world.awaitRecordLabel("rested", "team", "alone");
    world.vanish("edited");
    world.register("edited");
    world.awaitLabel("edited", "team", "new");
  }

  /** Empty for the records of others. */
  private static String teamOfEdited(JsonNode map) {
    if (!map.path("metadata").path("name").asText().equals("edited")) {
      return "";
    }
    try {
      return World.JSON
          .readTree(map.path("data").path("record.json").asText())
          .path("labels")
          .path("team")
          .asText();
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void check(List<String> names, Running well) {
    names.forEach(name -> world.awaitLabel(name, "team", "new"));
    names.forEach(name -> world.awaitRecordLabel(name, "team", "new"));
    world.settle(well);
    for (String name : names) {
      assertThat(world.labels(name)).as(name).isEqualTo(Map.of("team", "new"));
      assertThat(world.taints(name)).as(name).containsExactly("dedicated=old:NoSchedule");
      world.awaitRecordLabel(name, "team", "new");
    }
  }
}
