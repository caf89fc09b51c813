package dev.nodekeeper.it.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.Rights;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.AuditLog.Mark;
import dev.nodekeeper.testbed.AuditLog.Request;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What sharing costs, counted in the API server's audit log")
final class ShareCostIT {
  private static final int SHARDS = 16;
  private static final Percentage MORE = Percentage.withPercentage(5);

  private final World world = new World();
  private final LeaseWatch leases = new LeaseWatch(world, SHARDS);
  private final Set<String> users = new HashSet<>();

  @AfterEach
  void end() throws Exception {
    leases.close();
    world.close();
  }

  /** Under a user of its own: the audit log knows users, not processes. */
  private Running start() {
    String user = world.user + "-" + users.size();
    users.add(user);
    Rights.grant(world.admin, user, world.namespace);
    return world.keeper(
        "--shards=" + SHARDS, "--lease=2s", "--kubeconfig=" + world.plane.kubeconfig(user));
  }

  private List<Request> since(Mark mark) {
    return world.plane.audit().since(mark).requests().stream()
        .filter(request -> users.contains(request.user()))
        .toList();
  }

  private void live(List<Machine> machines, String value) {
    Parallel.each(machines, m -> world.label(m.name(), "team", value));
    Parallel.each(machines, m -> world.awaitRecordLabel(m.name(), "team", value));
    world.fleet.vanish(machines);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.awaitLabel(m.name(), "team", value));
  }

  /** By what was asked, leases, lists and watches aside. */
  private Map<String, Long> cost(String prefix, List<Running> keepers) {
    List<Machine> machines = Fleet.machines(prefix, 100);
    world.fleet.register(machines);
    leases.awaitEven(keepers.size());
    Mark mark = world.mark();
    live(machines, prefix);
    await("quiet").atMost(World.HANG).until(() -> keepers.stream().allMatch(Running::idle));
    return since(mark).stream()
        .filter(Work::counts)
        .collect(Collectors.groupingBy(Request::what, TreeMap::new, Collectors.counting()));
  }

  private static long sum(Map<String, Long> requests) {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  @DisplayName(
      "100 nodes labelled, deleted, returned: three replicas ask for no more than one does")
  void sameWork() {
    List<Running> keepers = new ArrayList<>(List.of(start()));
    Map<String, Long> one = cost("one", keepers);
    keepers.add(start());
    keepers.add(start());
    Mark mark = world.mark();
    Map<String, Long> three = cost("three", keepers);
    System.out.println("sharing: requests of one replica " + one + ", of three " + three);
    assertThat(sum(one)).isGreaterThanOrEqualTo(200);
    assertThat(sum(three)).isCloseTo(sum(one), MORE);
    assertThat(
            since(mark).stream()
                .filter(Work::isWrite)
                .map(Request::user)
                .collect(Collectors.toSet()))
        .as("all three worked")
        .hasSize(3);
  }

  @Test
  @DisplayName("replicas join and stop at work: who has handed over writes no more")
  void onlyOwnersWrite() {
    Mark mark = world.mark();
    Running first = start();
    List<Machine> machines = Fleet.machines("moved", 60);
    world.fleet.register(machines);
    live(machines, "alone");
    List<Running> keepers = new ArrayList<>(List.of(first));
    Thread work = Thread.ofPlatform().start(() -> rounds(machines, 8));
    keepers.add(start());
    keepers.add(start());
    leases.awaitEven(3);
    world.stop(keepers.removeFirst());
    leases.awaitEven(2);
    keepers.add(start());
    leases.awaitEven(3);
    world.stop(keepers.removeFirst());
    leases.awaitEven(2);
    join(work);
    List<Request> all = since(mark);
    Map<Integer, Long> hands =
        all.stream()
            .filter(r -> LeaseWatch.shardOf(r.name()) >= 0 && r.code() / 100 == 2)
            .collect(
                Collectors.groupingBy(
                    r -> LeaseWatch.shardOf(r.name()),
                    Collectors.collectingAndThen(
                        Collectors.mapping(Request::user, Collectors.toSet()),
                        s -> (long) s.size())));
    System.out.println("sharing: owners of each shard over time " + hands);
    assertThat(hands.values()).as("shards changed hands").anyMatch(owners -> owners > 2);
    assertThat(Work.byOthers(all, SHARDS)).as("writes by who was not the owner").isEmpty();
  }

  private void rounds(List<Machine> machines, int rounds) {
    for (int i = 0; i < rounds; i++) {
      live(machines, "round-" + i);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
