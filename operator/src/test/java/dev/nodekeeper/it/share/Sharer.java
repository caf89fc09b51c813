package dev.nodekeeper.it.share;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.config.Settings.ClusterSettings;
import dev.nodekeeper.it.World;
import dev.nodekeeper.share.Holdings;
import dev.nodekeeper.share.Hooks;
import dev.nodekeeper.share.Layout;
import dev.nodekeeper.share.LeaseSharing;
import dev.nodekeeper.share.ReplicaName;
import dev.nodekeeper.share.Terms;
import dev.nodekeeper.testbed.fault.FaultProxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** One instance behind a proxy of its own, which is how it is cut off. */
final class Sharer implements AutoCloseable {
  final String name = ReplicaName.unique();
  final FaultProxy proxy;
  final LeaseSharing sharing;

  /** Shards with writes in flight. */
  final Set<Integer> inFlight = ConcurrentHashMap.newKeySet();

  final AtomicInteger changes = new AtomicInteger();
  final AtomicInteger failures = new AtomicInteger();
  final AtomicInteger homeless = new AtomicInteger();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
  private final HttpApi api;

  /**
   * @param clock how far its wall clock is off
   */
  Sharer(World world, Layout layout, Duration clock, Terms terms) {
    proxy = world.proxy();
    world.closeLater(this);
    try {
      api = HttpApi.connect(new ClusterSettings(proxy.kubeconfig().toString(), ""), threads);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    sharing =
        new LeaseSharing(
            api,
            layout,
            name,
            terms,
            new Hooks(
                () -> true,
                _ -> true,
                shard -> !inFlight.contains(shard),
                changes::incrementAndGet,
                failures::incrementAndGet,
                homeless::incrementAndGet),
            InstantSource.offset(InstantSource.system(), clock));
    sharing.start();
  }

  Holdings shares() {
    return sharing.current();
  }

  int owned() {
    return shares().owned().cardinality();
  }

  /** Like kill -9: nothing of it reaches the server any more, least of all a good-bye. */
  void vanish() {
    proxy.shut();
  }

  @Override
  public void close() {
    sharing.close();
    threads.shutdownNow();
  }
}
