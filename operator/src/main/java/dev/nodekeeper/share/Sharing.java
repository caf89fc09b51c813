package dev.nodekeeper.share;

import java.util.Optional;

/** This replica's part in the work, as it stands now. */
public interface Sharing extends AutoCloseable {

  /** From now on we take part. */
  void start();

  /** What we own; never blocks, and its deadlines hold even if nobody renews it any more. */
  Holdings current();

  /** Replicas that take part, this one included, as far as we can see. */
  int members();

  /** Whether we work without leases, on everything. */
  boolean alone();

  /** Why a restart would help; empty when it would not, also while the API server fails. */
  Optional<String> problem();

  /** Gives up what we own, within about two seconds whatever the API server does. */
  @Override
  void close();

  /** Without leases: everything is ours. */
  static Sharing none() {
    return new Alone();
  }
}
