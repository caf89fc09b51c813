package dev.nodekeeper.bench.phase;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.bench.load.Pages;
import dev.nodekeeper.bench.measure.Replica;
import dev.nodekeeper.core.keep.Shares;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a standby costs, and how long nodes wait whose owner is killed. */
final class Failover {
  private static final int SHARDS = 16;
  private static final int PROBES_PER_SHARD = 4;
  private static final int STANDBY_SECONDS_MAX = 60;
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/" + Stand.NAMESPACE + "/leases";

  private Failover() {}

  static void run(Session session) {
    standby(session);
    session.stopMain();
    try (var first = session.start("first", "--shards=" + SHARDS)) {
      var second = session.start("second", "--shards=" + SHARDS);
      session.adopt(second);
      first.awaitReady(session.plan().patience());
      session.awaitActs(second);
      second.awaitMetrics(
          session.plan().patience(), "shards shared evenly", () -> even(first) && even(second));
      kill(session, first, second);
    }
  }

  private static boolean even(Replica replica) {
    return replica.metric("nodekeeper_shards_owned") == SHARDS / 2;
  }

  /** A second replica that owns nothing, while heartbeats go on. */
  private static void standby(Session session) {
    session.main();
    try (var standby = session.start("standby")) {
      standby.awaitReady(session.plan().patience());
      double seconds = Math.min(STANDBY_SECONDS_MAX, session.plan().duration().toSeconds());
      var meter = new Meter(standby);
      session.heartbeats("heartbeats, with a standby", seconds);
      session.figure(
          "failover.standby_cpu_percent", "standby: CPU", meter.percentOfACore(), "% of a core");
      session.figure("failover.standby_rss_mib", "standby: RSS", standby.usage().rssMib(), "MiB");
      standby.stop();
    }
  }

  private static void kill(Session session, Replica first, Replica second) {
    var fleet = session.fleet();
    var orphans = nodesOf(session, ownedBy(session, first.name()));
    try (var edits = Editing.edits(session)) {
      long killed = System.nanoTime();
      first.kill();
      orphans.forEach(edits::send);
      second.await(session.plan().patience(), "acts for the other", edits::allRecorded);
      var waits = edits.timesSince(killed);
      session.figure(
          "failover.edited_nodes",
          "kill -9 of an owner: its nodes edited then",
          orphans.size(),
          "of " + fleet.size());
      session.figure(
          "failover.first_s",
          "kill -9 of an owner: until the first is recorded",
          waits.percentile(0) / 1000,
          "s");
      session.figure(
          "failover.last_s",
          "kill -9 of an owner: until the last is recorded",
          waits.percentile(1) / 1000,
          "s");
    }
  }

  private static Set<Integer> ownedBy(Session session, String name) {
    var shards = new HashSet<Integer>();
    Pages.each(
        session.stand().admin(),
        LEASES,
        (JsonNode lease) -> {
          var holder = lease.path("spec").path("holderIdentity").asText();
          var words = lease.path("metadata").path("name").asText().split("-", -1);
          if (holder.startsWith(name + "_") && words.length == 4 && !words[1].equals("member")) {
            shards.add(Integer.parseInt(words[1]));
          }
        });
    return shards;
  }

  /** A few of each shard. */
  private static List<Integer> nodesOf(Session session, Set<Integer> shards) {
    var fleet = session.fleet();
    var taken = new int[SHARDS];
    var found = new ArrayList<Integer>();
    for (int k = 0; k < fleet.size(); k++) {
      int shard = Shares.shard(fleet.name(fleet.at(k)), SHARDS);
      if (shards.contains(shard) && taken[shard]++ < PROBES_PER_SHARD) {
        found.add(fleet.at(k));
      }
    }
    return found;
  }
}
