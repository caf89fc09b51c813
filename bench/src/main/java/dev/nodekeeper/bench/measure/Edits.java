package dev.nodekeeper.bench.measure;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.bench.load.Fleet;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Requests;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** People's edits, from the moment a person sends one until the watch shows it in the record. */
public final class Edits implements AutoCloseable {
  private final Fleet fleet;
  private final Loader people;
  private final Map<Integer, Long> sent = new ConcurrentHashMap<>();
  private final Map<Integer, Long> recorded = new ConcurrentHashMap<>();
  private final WatchReader watch;

  public Edits(Api api, Fleet fleet, String recordsPath) {
    this.fleet = fleet;
    this.people = new Loader(api);
    this.watch = WatchReader.start(api, recordsPath, this::event);
  }

  private void event(byte[] line) throws IOException {
    long now = System.nanoTime();
    recorded.putIfAbsent(Event.ticket(line), now);
  }

  /** Returns when the server has taken it; two edits of one node are never under way at once. */
  public void send(int index) {
    synchronized (fleet.turn(index)) {
      var edit = fleet.edit(index);
      sent.put(edit.ticket(), System.nanoTime());
      people.send(Requests.person(fleet, index, edit.body()));
    }
  }

  public int sent() {
    return sent.size();
  }

  /** Of those that were sent. */
  public int recorded() {
    watch.demandOpen();
    return (int) sent.keySet().stream().filter(recorded::containsKey).count();
  }

  /** From sending to recording, of each. */
  public Samples times() {
    var samples = new Samples();
    sent.forEach((ticket, from) -> sample(samples, ticket, from));
    return samples;
  }

  /** From that moment on, of each. */
  public Samples timesSince(long nanos) {
    var samples = new Samples();
    sent.keySet().forEach(ticket -> sample(samples, ticket, nanos));
    return samples;
  }

  private void sample(Samples samples, int ticket, long from) {
    var to = recorded.get(ticket);
    if (to != null) {
      samples.add(from, to);
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
