package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.testbed.AuditLog.Request;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.SharedControlPlane;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("One process captures, another restores, under users of their own")
final class RolesIT {
  private final World world = new World(SharedControlPlane.get(), World.SPLIT);

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("each uses every right that its role has, and asks for nothing that it has not")
  void exactly() {
    Running keeper = world.keeper("--shards=2", "--empty-grace=1s");
    life();
    emptied();
    unreadable();
    askedToReadTheRecord();
    foughtOverLeases();
    await("the node is looked at before a forgotten record is made again")
        .atMost(World.HANG)
        .until(
            () -> {
              forgotten();
              return asked(Role.CAPTURE).contains(" get nodes");
            });
    world.stop(keeper);
    for (Role role : World.SPLIT) {
      assertThat(asked(role))
          .as("rights that %s uses", role)
          .isEqualTo(Rights.words(role, world.namespace));
      assertThat(refused(role)).as("what %s is refused", role).isSubsetOf("get namespaces");
    }
  }

  // ---- what makes them ask

  private void life() {
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.label("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "b");
  }

  private void emptied() {
    world.register("empty");
    world.label("empty", "team", "a");
    world.awaitRecordLabel("empty", "team", "a");
    world.unlabel("empty", "team");
    await("cleaned up").atMost(World.HANG).until(() -> !world.hasRecord("empty"));
  }

  private void unreadable() {
    world.register("broken");
    world.label("broken", "team", "a");
    world.awaitRecordLabel("broken", "team", "a");
    world.writeRecord("broken", "{");
    for (Role role : World.SPLIT) {
      await("an event")
          .atMost(World.HANG)
          .until(() -> asked(role).contains("default create events"));
    }
  }

  /** By a marker of a version that is newer than any record. */
  private void askedToReadTheRecord() {
    world.vanish("n1");
    ObjectNode node = World.object("Node", "n1");
    node.withObject("/metadata/annotations").put(NodeState.MARKER, "999." + "A".repeat(43));
    world.admin.create("/api/v1/nodes", node).expect();
    world.awaitLabel("n1", "team", "b");
  }

  /** A lease that has changed since it was last listed is read again. */
  private void foughtOverLeases() {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/" + world.namespace + "/leases";
    AtomicInteger times = new AtomicInteger();
    for (Role role : World.SPLIT) {
      await("read again")
          .atMost(World.HANG)
          .until(
              () -> {
                String patch =
                    "{\"metadata\":{\"labels\":{\"theirs\":\"%d\"}}}"
                        .formatted(times.incrementAndGet());
                for (JsonNode lease : world.admin.list(leases)) {
                  String name = lease.path("metadata").path("name").asText();
                  world.admin.patch(leases + "/" + name, Patch.MERGE, patch);
                }
                return asked(role).contains(world.namespace + " get leases");
              });
    }
  }

  private void forgotten() {
    world.admin.delete(world.recordPath("n1")).expect();
    world.awaitRecordLabel("n1", "team", "b");
  }

  // ---- what they asked for

  private List<Request> requests(Role role) {
    return world.plane.audit().requests(world.user(role));
  }

  /** What was not refused, as namespace (none for the cluster), verb and resource. */
  private Set<String> asked(Role role) {
    return requests(role).stream()
        .filter(request -> request.code() != 403)
        .map(request -> request.namespace() + " " + request.what())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<String> refused(Role role) {
    return requests(role).stream()
        .filter(request -> request.code() == 403)
        .map(Request::what)
        .collect(Collectors.toSet());
  }
}
