package dev.nodekeeper.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.fault.Call;
import dev.nodekeeper.testbed.fault.FaultProxy;
import dev.nodekeeper.testbed.fault.Frame;
import dev.nodekeeper.testbed.fault.FrameEdit;
import dev.nodekeeper.testbed.fault.Gate;
import dev.nodekeeper.testbed.fault.Match;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** One of us behind a proxy of its own, with words for what is on its wire. */
final class Replica {
  private final World world;
  private final FaultProxy proxy;
  private final Running keeper;
  private int seen;

  Replica(World world, String... flags) {
    this.world = world;
    this.proxy = world.proxy();
    String[] all = Arrays.copyOf(flags, flags.length + 1);
    all[flags.length] = World.through(proxy);
    this.keeper = world.keeper(all);
  }

  FaultProxy proxy() {
    return proxy;
  }

  Running keeper() {
    return keeper;
  }

  /** Gone between two instructions: nothing that was on its way is heard of any more. */
  void crash() {
    proxy.shut();
    world.stop(keeper);
  }

  // ---- beginnings

  /** A living node with two labels, which its record holds: team=a and rack=r1. */
  void remember(String node) {
    world.register(node);
    world.label(node, "team", "a");
    world.label(node, "rack", "r1");
    world.awaitRecordLabel(node, "rack", "r1");
    settle();
    begin();
  }

  /** The same, and then it goes. */
  void rememberAndLose(String node) {
    remember(node);
    world.vanish(node);
    settle();
    begin();
  }

  // ---- its requests

  static Match patchOf(String node) {
    return Match.patch("/api/v1/nodes/" + node);
  }

  Match putOf(String node) {
    return Match.put(world.recordPath(node));
  }

  Match deleteOf(String node) {
    return Match.delete(world.recordPath(node));
  }

  /** Its next patch of that node waits before the API server hears of it. */
  Gate holdPatch(String node) {
    return proxy.on(patchOf(node)).first().holdRequest();
  }

  /** Its next update of that record waits before the API server hears of it. */
  Gate holdPut(String node) {
    return proxy.on(putOf(node)).first().holdRequest();
  }

  // ---- its watches

  /** Such an event waits, and all behind it, for no watch shows them out of order. */
  Gate holdNodes(Predicate<Frame> which) {
    return hold("nodes", which);
  }

  Gate holdRecords(Predicate<Frame> which) {
    return hold("configmaps", which);
  }

  private Gate hold(String resource, Predicate<Frame> which) {
    Gate gate = new Gate();
    proxy.on(Match.watch(resource)).edit(FrameEdit.hold(which, gate));
    return gate;
  }

  // ---- what it did

  /** From here on. */
  void begin() {
    seen = proxy.journal().size();
  }

  /** Everything that it wrote since then, in order of its sending. */
  List<Call> writes() {
    List<Call> journal = proxy.journal();
    return journal.subList(seen, journal.size()).stream().filter(Call::isWrite).toList();
  }

  /** Of these, writes to that node and its record. */
  List<Call> writes(String node) {
    return writes().stream().filter(call -> isAbout(node, call)).toList();
  }

  private boolean isAbout(String node, Call call) {
    boolean created =
        call.method().equals("POST")
            && call.path().endsWith("/configmaps")
            && call.body().contains("\"name\":\"" + node + "\"");
    return created
        || call.path().equals("/api/v1/nodes/" + node)
        || call.path().equals(world.recordPath(node));
  }

  /** Of these, what the API server did. */
  List<Call> landed(String node) {
    return writes(node).stream().filter(call -> call.status() / 100 == 2).toList();
  }

  /** The writes as words: method and answer. */
  List<String> story(String node) {
    return writes(node).stream().map(call -> call.method() + " " + call.status()).toList();
  }

  /** All that people did has been worked off. */
  void settle() {
    world.settle(keeper);
  }

  /** What its metrics page says; zero where it says nothing. */
  double metric(String series) {
    try (var page =
        URI.create("http://127.0.0.1:" + keeper.httpPort() + "/metrics").toURL().openStream()) {
      return new String(page.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(series + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
          .sum();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  double heard(String resource, String type) {
    return metric(
        "nodekeeper_watch_events_total{resource=\"" + resource + "\",type=\"" + type + "\"}");
  }

  /** Until it has taken in one more such event than it had before. */
  void awaitHeard(String resource, String type, double before) {
    await(type + " of " + resource)
        .atMost(World.HANG)
        .untilAsserted(
            () -> {
              assertThat(heard(resource, type)).isGreaterThan(before);
              assertThat(metric("nodekeeper_inbox_size")).isZero();
            });
  }
}
