package dev.nodekeeper.bench.phase;

import dev.nodekeeper.api.Call;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.measure.Replica;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One node beside the fleet. A taint on it is captured at once, and by the same thread that
 * compares all others: when it is in its record, everything that was there before has been looked
 * at.
 */
final class Probe {
  private static final String NAME = "bench-probe";
  private static final String NODE = Stand.NODES + "/" + NAME;

  private final Stand stand;
  private final Loader people;
  private int value = 1000;

  Probe(Stand stand) {
    this.stand = stand;
    this.people = new Loader(stand.admin());
    people.send(
        Call.post(
            Stand.NODES,
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + NAME + "\"}}"));
  }

  void awaitActs(Replica replica, Duration limit) {
    var text = "probe-" + ++value;
    people.send(
        Call.patch(
            NODE,
            Loader.MERGE,
            """
            {"spec":{"taints":[{"key":"probe","value":"%s","effect":"PreferNoSchedule"}]}}\
            """
                .formatted(text)));
    replica.await(limit, "acts on a taint", () -> recorded(text));
  }

  private boolean recorded(String text) {
    try {
      var reply = stand.admin().send(Call.get(Stand.RECORDS + "/" + NAME));
      return reply.ok() && new String(reply.body(), StandardCharsets.UTF_8).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
