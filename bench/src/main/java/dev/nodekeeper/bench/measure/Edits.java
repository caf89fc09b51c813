package dev.nodekeeper.bench.measure;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.bench.load.Fleet;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Requests;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** People's edits, from the moment a person sends one until the watch shows it in the record. */
public final class Edits implements AutoCloseable {
  private final Fleet fleet;
  private final Loader people;
  private final Map<Integer, Deque<Sent>> waiting = new HashMap<>();
  private final List<Recorded> recorded = new ArrayList<>();
  private final WatchReader watch;
  private int sent;

  private record Sent(int ticket, long nanos) {}

  private record Recorded(long sentNanos, long nanos) {}

  public Edits(Api api, Fleet fleet, String recordsPath) {
    this.fleet = fleet;
    this.people = new Loader(api);
    this.watch = WatchReader.records(api, recordsPath, this::event);
  }

  /** An edit that was overtaken by the next one of the same node is recorded with that one. */
  private String event(byte[] line) throws IOException {
    long now = System.nanoTime();
    var seen = Event.ofRecord(line);
    synchronized (recorded) {
      var own = waiting.get(fleet.index(seen.name()));
      while (own != null && !own.isEmpty() && own.getFirst().ticket() <= seen.ticket()) {
        recorded.add(new Recorded(own.removeFirst().nanos(), now));
      }
    }
    return seen.revision();
  }

  /** Returns when the server has taken it; two edits of one node are never under way at once. */
  public void send(int index) {
    synchronized (fleet.turn(index)) {
      var edit = fleet.edit(index);
      synchronized (recorded) {
        sent++;
        waiting
            .computeIfAbsent(index, _ -> new ArrayDeque<>())
            .addLast(new Sent(edit.ticket(), System.nanoTime()));
      }
      people.send(Requests.person(fleet, index, edit.body()));
    }
  }

  public boolean allRecorded() {
    watch.demandOpen();
    synchronized (recorded) {
      return recorded.size() == sent;
    }
  }

  /** From sending to recording, of each. */
  public Samples times() {
    var samples = new Samples();
    synchronized (recorded) {
      recorded.forEach(one -> samples.add(one.sentNanos(), one.nanos()));
    }
    return samples;
  }

  /** From that moment on, of each. */
  public Samples timesSince(long began) {
    var samples = new Samples();
    synchronized (recorded) {
      recorded.forEach(one -> samples.add(began, one.nanos()));
    }
    return samples;
  }

  @Override
  public void close() {
    watch.close();
  }
}
