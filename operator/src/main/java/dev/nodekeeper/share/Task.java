package dev.nodekeeper.share;

import java.util.Optional;

/** One request that a {@link Shareholder} wants made. */
sealed interface Task {

  /** The right that it needs. */
  String verb();

  /** Of its lease; empty for all. */
  String name();

  /** Look at all leases of the layout. */
  record Survey() implements Task {
    @Override
    public String verb() {
      return "list";
    }

    @Override
    public String name() {
      return "";
    }
  }

  /** Look at one again, because it is not what we thought. */
  record Look(String name) implements Task {
    @Override
    public String verb() {
      return "get";
    }
  }

  /**
   * Take or renew.
   *
   * @param seen empty to make it
   */
  record Claim(String name, Optional<Lease> seen) implements Task {
    @Override
    public String verb() {
      return seen.isEmpty() ? "create" : "update";
    }
  }

  /** Let others have it. */
  record Release(Lease seen) implements Task {
    @Override
    public String verb() {
      return "update";
    }

    @Override
    public String name() {
      return seen.name();
    }
  }

  /** Tidy up. */
  record Remove(Lease seen) implements Task {
    @Override
    public String verb() {
      return "delete";
    }

    @Override
    public String name() {
      return seen.name();
    }
  }
}
