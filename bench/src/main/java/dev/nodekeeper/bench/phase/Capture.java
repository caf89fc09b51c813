package dev.nodekeeper.bench.phase;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Cold start without records: one is made for every node. */
final class Capture {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CREATE = "create configmaps";
  private static final int PLAIN_MAPS = 10_000;

  private Capture() {}

  static void run(Session session) {
    int nodes = session.fleet().size();
    var mark = session.stand().mark();
    var replica = session.startMain();
    var progress = new Progress("captured", nodes);
    replica.awaitReady(session.plan().patience());
    replica.awaitCount(session.plan().patience(), "nodekeeper_captures_total", nodes, progress);
    var usage = replica.usage();
    var tally = session.stand().since(mark);
    double perSecond = tally.perSecond(CREATE);
    double seconds = replica.secondsUntil(tally.times(CREATE).getLast());
    session.figure("capture.seconds", "start without records: until all captured", seconds, "s");
    session.figure(
        "capture.cpu_ms_per_node",
        "start without records: our CPU per node",
        1000 * usage.cpuSeconds() / nodes,
        "ms");
    session.figure(
        "capture.peak_rss_mib", "start without records: peak RSS", usage.peakMib(), "MiB");
    session.stopMain();
    var plain = plainMaps(session);
    session.figure("plain.creates_per_s", "plain ConfigMap creates per second", plain, "/s");
    session
        .results()
        .add(
            Figure.of("capture.creates_per_s", "records made per second", perSecond, "/s")
                .per(plain));
  }

  /** Copies of a real record, under other names. */
  private static double plainMaps(Session session) {
    var template = aRecord(session);
    session.figure(
        "plain.record_bytes",
        "size of a record as a request",
        template.toString().length(),
        "bytes");
    int count = Math.min(session.fleet().size(), PLAIN_MAPS);
    var loader = new Loader(session.stand().plain());
    var speed =
        session.all(
            "plain ConfigMaps are created",
            loader,
            count,
            i -> Call.post(Stand.PLAIN_MAPS, named(template, i)));
    session.all(
        "and removed", loader, count, i -> Requests.delete(Stand.PLAIN_MAPS + "/" + name(i)));
    return speed.warmPerSecond();
  }

  private static String name(int i) {
    return "plain-" + i;
  }

  private static String named(ObjectNode template, int i) {
    var map = template.deepCopy();
    map.withObjectProperty("metadata").put("name", name(i));
    return map.toString();
  }

  private static ObjectNode aRecord(Session session) {
    try {
      var path = Stand.RECORDS + "/" + session.fleet().name(0);
      var map = JSON.readTree(session.stand().admin().send(Call.get(path)).body());
      var template = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
      template.putObject("metadata").set("labels", map.path("metadata").path("labels"));
      template.set("data", map.path("data"));
      return template;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
