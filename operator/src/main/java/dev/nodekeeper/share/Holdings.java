package dev.nodekeeper.share;

import dev.nodekeeper.core.keep.Shares;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * What this replica owns. Immutable, but each shard has a deadline on the monotonic clock at which
 * it stops being ours, so that a hanging lease thread cannot make us an owner for ever.
 */
public final class Holdings {
  /** Of a shard that is ours without a lease: it never ends. */
  private static final long[] ENDLESS = {};

  private final BitSet held;
  private final long[] deadlines;
  private final long[] since;
  private final LongSupplier nanos;

  /** While none has ended. */
  private final Shares all;

  /**
   * @param held the shards that are ours until their deadline
   * @param deadlines by shard; empty where nothing ends
   * @param since by shard, see {@link #since}
   */
  private Holdings(BitSet held, long[] deadlines, long[] since, LongSupplier nanos) {
    this.held = held;
    this.deadlines = deadlines;
    this.since = since;
    this.nanos = nanos;
    this.all = shares(held);
  }

  /** What the seats say at this moment. */
  static Holdings of(Iterable<Seat> shards, int count, LongSupplier nanos) {
    BitSet held = new BitSet(count);
    long[] deadlines = new long[count];
    long[] since = new long[count];
    long now = nanos.getAsLong();
    for (Seat seat : shards) {
      if (seat.owned(now)) {
        held.set(seat.shard());
        deadlines[seat.shard()] = seat.deadline();
        since[seat.shard()] = seat.sinceRv();
      }
    }
    return new Holdings(held, deadlines, since, nanos);
  }

  public static Holdings everything(int count) {
    BitSet all = new BitSet(count);
    all.set(0, count);
    return new Holdings(all, ENDLESS, new long[count], System::nanoTime);
  }

  public static Holdings nothing(int count) {
    return new Holdings(new BitSet(count), ENDLESS, new long[count], System::nanoTime);
  }

  /** How many shards there are. */
  public int count() {
    return since.length;
  }

  /** To be asked right before a write: true only while nobody else can have it. */
  public boolean owns(int shard) {
    return held.get(shard) && (deadlines.length == 0 || deadlines[shard] - nanos.getAsLong() > 0);
  }

  public boolean owns(String node) {
    return owns(Shares.shard(node, count()));
  }

  /** What is ours now; the same object as long as nothing has changed. */
  public Shares shares() {
    return held.stream().allMatch(this::owns) ? all : shares(owned());
  }

  private Shares shares(BitSet shards) {
    return new Shares(
        count(),
        shards.stream().boxed().collect(Collectors.toMap(Function.identity(), this::since)));
  }

  /** The shards for which {@link #owns} is true now. */
  public BitSet owned() {
    BitSet owned = (BitSet) held.clone();
    owned.stream().filter(shard -> !owns(shard)).forEach(owned::clear);
    return owned;
  }

  /**
   * The resourceVersion of the write by which the owner before us gave this shard up, or else of
   * the one that made it ours: whatever that owner wrote is older, so caches that have reached it
   * miss nothing. Zero where there is no lease.
   */
  public long since(int shard) {
    return since[shard];
  }

  /** Whether another owner's eyes would see no difference: only deadlines may have moved. */
  boolean sameOwnership(Holdings other) {
    return held.equals(other.held) && Arrays.equals(since, other.since);
  }
}
