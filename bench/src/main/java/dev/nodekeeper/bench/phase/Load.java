package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Pages;
import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.WatchReader;

/** Before everything: the fleet registers, and people set its labels and taints. */
public final class Load {
  private Load() {}

  public static void run(Session session) {
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
}
