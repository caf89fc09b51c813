package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Pages;
import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.WatchReader;

/** Before everything: the fleet registers, and people set its labels and taints. */
public final class Load {
  private static final int BARE = 5_000;
  private static final int ROUNDS = 3;

  private Load() {}

  public static void run(Session session) {
    loaderAlone(session);
    var fleet = session.fleet();
    var registered = session.registerAll();
    session.figure(
        "load.registrations_per_s",
        "registrations per second while loading",
        registered.warmPerSecond(),
        "/s");
    var plain = new Loader(session.stand().plain());
    try (var watch = WatchReader.bare(session.stand().plain(), Stand.NODES)) {
      var patched =
          session.all(
              "people label and taint",
              plain,
              fleet.size(),
              i -> Requests.person(fleet, i, fleet.everything(i, 0)));
      watch.demandOpen();
      session.figure(
          "load.patches_per_s",
          "plain node patches per second while loading, one bare watcher",
          patched.warmPerSecond(),
          "/s");
    }
    session.figure(
        "load.node_bytes",
        "size of a node as JSON",
        Pages.averageBytes(session.stand().admin(), Stand.NODES),
        "bytes");
  }

  /**
   * Where the server has least to do, to see that the loader is not what limits the plain requests:
   * nodes with nothing on them, which get two labels.
   */
  private static void loaderAlone(Session session) {
    int count = Math.min(session.fleet().size(), BARE);
    var plain = new Loader(session.stand().plain());
    session.all("bare nodes register", session.world(), count, Requests::registerBare);
    double perSecond = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      int value = round;
      var speed =
          session.all("bare nodes are patched", plain, count, i -> Requests.patchBare(i, value));
      perSecond = speed.warmPerSecond();
    }
    session.all("and removed", session.world(), count, Requests::removeBare);
    session.figure(
        "load.bare_patches_per_s",
        "the loader alone: patches of bare nodes per second",
        perSecond,
        "/s");
  }
}
