package dev.nodekeeper.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.Clock;
import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.RunProcess;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The process is starved, its clock jumps, another controller fights it")
final class ProcessFaultsIT {
  private final World world = new World();
  @TempDir Path folder;
  private int lives;

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName(
      "too little memory: it ends with an error instead of limping, and goes on when it has enough")
  void outOfMemory() throws Exception {
    List<Machine> machines =
        Fleet.machines("fat", 150).stream().map(m -> m.withLabel("team", m.name())).toList();
    world.fleet.register(machines);
    String fat = "x".repeat(200_000);
    Parallel.each(machines, m -> world.annotate(m.name(), "fat", m.name() + fat));
    // What it would have to remember is 30 MB.
    List<String> command =
        RunProcess.command(world, List.of("-Xmx28m"), "--keep=labels,taints,annotations");
    Process starved = RunProcess.start(world, new ProcessBuilder(command));
    assertThat(starved.waitFor(World.HANG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(starved.exitValue()).isEqualTo(3);
    assertThat(world.hasRecord("fat-0")).isFalse();
    RunProcess.start(world);
    Parallel.each(machines, m -> world.awaitRecordLabel(m.name(), "team", m.name()));
  }

  @Test
  @DisplayName("too few file descriptors: slower, but all of it is done")
  void fewDescriptors() throws Exception {
    Process roomy = RunProcess.start(world);
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    long needed = descriptors(roomy);
    roomy.destroyForcibly().waitFor();

    // Room for its two watches and hardly a connection more, where it would like to have 32.
    List<String> command =
        new ArrayList<>(
            List.of("sh", "-c", "ulimit -n " + (needed + 2) + "; exec \"$@\"", "limited"));
    command.addAll(RunProcess.command(world, List.of("-Xmx256m")));
    Process limited = RunProcess.start(world, new ProcessBuilder(command));
    List<Machine> machines = Fleet.machines("few", 60);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.label(m.name(), "team", m.name()));
    Parallel.each(machines, m -> world.awaitRecordLabel(m.name(), "team", m.name()));
    world.fleet.vanish(machines);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.awaitLabel(m.name(), "team", m.name()));
    assertThat(limited.isAlive()).isTrue();
    System.out.println("descriptors: " + needed + " idle, limited to " + (needed + 2));
  }

  private static long descriptors(Process process) throws IOException {
    try (var files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return files.count();
    }
  }

  @Test
  @DisplayName(
      "the wall clock starts years ahead, jumps back, forward and races: nothing depends on it")
  void clockJumps() throws Exception {
    Path clock = Files.writeString(folder.resolve("clock"), "+1800d\n");
    ProcessBuilder builder =
        new ProcessBuilder(
            RunProcess.command(world, List.of("-Xmx256m"), "--empty-grace=3s", "--log-level=info"));
    builder.environment().putAll(Clock.by(clock));
    RunProcess.start(world, builder);
    world.register("n1");
    world.register("n2");
    world.label("n1", "team", "first");
    // A JVM starts slowly where every look at the clock goes through a library.
    await("it is up").atMost(World.HANG.multipliedBy(3)).until(() -> world.hasRecord("n1"));
    liveAt(Duration.ofDays(1800));
    // No further: certificates have a validity of their own, and TLS looks at the clock.
    for (String jump : List.of("-30m", "+1000d", "-10m")) {
      Files.writeString(clock, jump + "\n");
      liveAt(Duration.parse(jump.endsWith("d") ? "P" + jump : "PT" + jump));
    }
    Files.writeString(clock, "+0 x20\n");
    life("races");
    Thread.sleep(1_100);
    life("races-on");
    Files.writeString(clock, "+0 x1\n");
    liveAt(Duration.ZERO);
    // Our own timers run on: an empty record goes after its grace time, not years later or at once.
    world.label("n2", "team", "a");
    world.awaitRecordLabel("n2", "team", "a");
    world.unlabel("n2", "team");
    world.awaitRecordLabel("n2", "team", null);
    Files.writeString(clock, "-50m\n");
    await("the empty record goes").atMost(World.HANG).until(() -> !world.hasRecord("n2"));
  }

  /** Edited, deleted, back. */
  private void life(String value) {
    world.label("n1", "team", value);
    world.awaitRecordLabel("n1", "team", value);
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", value);
  }

  /** Lives until the process, which looks at its setting now and then, says it is that late. */
  private void liveAt(Duration ahead) {
    await("it logs a time of now + " + ahead)
        .atMost(World.HANG)
        .until(
            () -> {
              life("l" + lives++);
              Duration error = Duration.between(Instant.now().plus(ahead), lastLogged());
              return error.abs().compareTo(Duration.ofMinutes(5)) < 0;
            });
  }

  private Instant lastLogged() throws IOException {
    try (var lines = Files.lines(Path.of("target", "run-" + world.namespace + ".log"))) {
      return lines
          .filter(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT.*"))
          .reduce((_, last) -> last)
          .map(line -> Instant.parse(line.substring(0, line.indexOf(' '))))
          .orElseThrow();
    }
  }

  @Test
  @DisplayName(
      "a controller that strips what we restore is a person to us: the record follows, no fight")
  void fight() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    var mark = world.mark();
    try (var fighter =
        world.admin.watch("/api/v1/nodes", event -> strip(event.path("object"), "team", "null"))) {
      world.vanish("n1");
      world.register("n1");
      world.awaitRecordLabel("n1", "team", null);
      world.settle(keeper);
      assertThat(fighter.open()).isTrue();
    }
    assertThat(world.labels("n1")).isEmpty();
    assertThat(world.requestsSince(mark).getOrDefault("patch nodes", 0L)).isLessThanOrEqualTo(3);
    quietFrom(keeper);
  }

  @Test
  @DisplayName(
      "one that strips our marker as well: at most 3 restores in a life, then we pause and say so")
  void markerStripped() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.taint("n1", "dedicated=a:NoSchedule");
    world.awaitRecordLabel("n1", "team", "a");
    world.vanish("n1");
    var mark = world.mark();
    String both = "null},\"annotations\":{\"nodekeeper.dev/restored\":null";
    try (var fighter =
        world.admin.watch("/api/v1/nodes", event -> strip(event.path("object"), "team", both))) {
      world.register("n1");
      await("fought")
          .atMost(World.HANG)
          .until(() -> world.requestsSince(mark).getOrDefault("patch nodes", 0L) > 0);
      world.settle(keeper);
      quietFrom(keeper);
      assertThat(fighter.open()).isTrue();
    }
    assertThat(world.requestsSince(mark).getOrDefault("patch nodes", 0L)).isBetween(1L, 4L);
  }

  private void strip(JsonNode node, String label, String value) {
    boolean ours =
        node.path("metadata").path("labels").has(label)
            || node.path("metadata").path("annotations").has("nodekeeper.dev/restored");
    if (ours) {
      world.admin.patch(
          "/api/v1/nodes/" + node.path("metadata").path("name").asText(),
          Patch.MERGE,
          "{\"metadata\":{\"labels\":{\"" + label + "\":" + value + "}}}");
    }
  }

  private void quietFrom(Running keeper) {
    var mark = world.mark();
    world.settle(keeper);
    assertThat(world.requestsSince(mark)).doesNotContainKeys("patch nodes", "update configmaps");
  }
}
