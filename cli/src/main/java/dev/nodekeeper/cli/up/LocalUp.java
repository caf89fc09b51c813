package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.ExitCode;
import dev.nodekeeper.cli.ProblemException;
import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Machines;
import java.time.Duration;
import java.util.List;

/** What the commands up, down and restart do. */
public final class LocalUp {
  private static final Duration STARTER_LIMIT = Duration.ofSeconds(40);

  private final Screen screen;
  private final UpFolder folder;

  public LocalUp(Screen screen, UpFolder folder) {
    this.screen = screen;
    this.folder = folder;
  }

  public int up(Extent extent) {
    var found = UpState.read(folder);
    if (found.filter(UpState::beingSetUp).isPresent()) {
      throw ProblemException.failed(
          "another `up` (pid %d) is setting up %s: wait for it, or run `down`"
              .formatted(found.get().starter().pid(), folder.root()));
    }
    if (found.filter(UpState::running).isPresent()
        && LocalCluster.controlPlane(folder).isPresent()) {
      screen.line("It is running already, in " + folder.root() + ".");
      ThingsToTry.show(screen, folder, new LocalCluster(screen, folder, found.get()).repair());
      return ExitCode.OK;
    }
    if (folder.claimed()) {
      screen.line("Clearing away what an earlier `up` left in " + folder.root());
      boolean _ = new Teardown(folder).run();
    }
    return setUp(extent);
  }

  private int setUp(Extent extent) {
    long start = System.nanoTime();
    Rollback rollback = new Rollback(this::undo);
    try (rollback) {
      claim(rollback);
      UpState begun = UpState.begun();
      begun.write(folder);
      LocalCluster cluster = new LocalCluster(screen, folder, begun);
      UpState state = cluster.start(extent);
      screen.line("Ready after %.1f s".formatted(seconds(start)));
      new Story(screen, folder, state).play();
      if (extent == Extent.FULL) {
        state = new WorkloadStory(screen, folder, cluster, state).play();
      }
      rollback.keep();
      screen.line("");
      ThingsToTry.show(screen, folder, state);
      screen.line("");
      screen.line("All this took %.1f s.".formatted(seconds(start)));
      return ExitCode.OK;
    } catch (RuntimeException e) {
      if (rollback.interrupted()) {
        return ExitCode.FAILED;
      }
      throw e;
    }
  }

  private void claim(Rollback rollback) {
    if (!folder.claim()) {
      rollback.keep();
      throw ProblemException.failed(
          "%s has something in it that is not of this `up`; set NODEKEEPER_UP_DIR to another folder"
              .formatted(folder.root()));
    }
  }

  private void undo() {
    boolean _ = new Teardown(folder).run();
    screen.note("nodekeeper: everything that was started has been ended, nothing is left behind");
  }

  public int down() {
    var found = UpState.read(folder);
    if (found.filter(UpState::beingSetUp).isPresent()) {
      Detached.Id starter = found.get().starter();
      screen.line("Ending the `up` that is still setting things up");
      ProcessHandle.of(starter.pid()).ifPresent(ProcessHandle::destroy);
      Patience.await(
          STARTER_LIMIT,
          () -> "process " + starter + " does not end",
          () -> !Detached.alive(starter));
    }
    // One that was still being set up has cleared away after itself.
    boolean was = new Teardown(folder).run() || found.isPresent();
    screen.line(was ? "Ended everything, and removed " + folder.root() : "Nothing is running");
    return ExitCode.OK;
  }

  /** Deletes the machine's Node and lets it return. */
  public int restart(String machine) {
    if (UpState.read(folder).filter(UpState::running).isEmpty()) {
      throw ProblemException.failed("nothing is running: start it with `make up`");
    }
    List<String> names = Machines.names(folder.root());
    if (!names.contains(machine)) {
      throw new ProblemException(
          ExitCode.NOT_FOUND,
          "there is no machine %s; there are %s".formatted(machine, String.join(", ", names)));
    }
    var admin = ControlPlane.attach(folder.root()).admin();
    var before = Departure.of(admin, machine);
    screen.line(
        before.uid().isEmpty()
            ? machine + " is away; its kubelet registers again"
            : "Deleting the Node of " + machine + ", then its kubelet registers again");
    screen.line("");
    HomecomingText.lines(Homecoming.of(admin, folder.root(), before)).forEach(screen::line);
    return ExitCode.OK;
  }

  private static double seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / 1e9;
  }
}
