package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.testbed.Patch;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Records do not grow for ever, and no other is lost")
final class RecordLifeIT {
  private static final String AWAY_SINCE = "nodekeeper.dev/away-since";
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName(
      "a node that stays away is said to be, then forgotten; one that returns or is kept is not")
  void life() {
    world.keeper("--forget-after=4s", "--resync=1s");
    for (String name : new String[] {"gone", "back", "kept"}) {
      world.register(name);
      world.label(name, "team", name);
      world.awaitRecordLabel(name, "team", name);
    }
    ObjectNode keep = World.JSON.createObjectNode();
    keep.putObject("metadata").putObject("annotations").put("nodekeeper.dev/keep", "true");
    world.admin.patch(world.recordPath("kept"), Patch.MERGE, keep).expect();
    JsonNode data = configMap("back").path("data");
    for (String name : new String[] {"gone", "back", "kept"}) {
      world.vanish(name);
    }

    await("says so").atMost(World.HANG).until(() -> !awaySince("back").isEmpty());
    Instant since = Instant.parse(awaySince("back"));
    assertThat(Duration.between(since, Instant.now()).abs()).isLessThan(World.HANG);
    assertThat(configMap("back").path("data")).as("nothing else changes").isEqualTo(data);
    world.register("back");
    world.awaitLabel("back", "team", "back");
    await("says so no longer").atMost(World.HANG).until(() -> awaySince("back").isEmpty());
    await("forgotten").atMost(World.HANG).until(() -> !world.hasRecord("gone"));
    assertThat(world.hasRecord("back")).isTrue();
    assertThat(world.record("kept").path("labels").path("team").asText()).isEqualTo("kept");
    assertThat(awaySince("kept")).isEmpty();
    world.register("kept");
    world.awaitLabel("kept", "team", "kept");
  }

  private JsonNode configMap(String name) {
    return world.admin.get(world.recordPath(name)).expect();
  }

  private String awaySince(String name) {
    return configMap(name).path("metadata").path("annotations").path(AWAY_SINCE).asText();
  }
}
