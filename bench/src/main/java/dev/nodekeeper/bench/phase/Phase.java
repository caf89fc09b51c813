package dev.nodekeeper.bench.phase;

import java.util.Locale;

/** In the order in which they are run. */
public enum Phase {
  CAPTURE("no records yet: all are captured"),
  COLD("a start with all records there"),
  STORM("all edited, deleted, returned"),
  OUTAGE("all deleted and returned while we were away"),
  ROLLING("100 nodes a second return"),
  EDITS("people relabel nodes"),
  IDLE("only heartbeats"),
  RELIST("the API server starts anew: all is listed again"),
  FAILOVER("the owner is killed");

  private final String meaning;

  Phase(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  void run(Session session) {
    switch (this) {
      case CAPTURE -> Capture.run(session);
      case COLD -> Cold.run(session);
      case STORM -> Storm.run(session);
      case OUTAGE -> Outage.run(session);
      case ROLLING -> Rolling.run(session);
      case EDITS -> Editing.run(session);
      case IDLE -> Idle.run(session);
      case RELIST -> Relist.run(session);
      case FAILOVER -> Failover.run(session);
    }
  }

  /** For keys and file names. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
