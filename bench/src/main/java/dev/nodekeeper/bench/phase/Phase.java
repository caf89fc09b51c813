package dev.nodekeeper.bench.phase;

import java.util.function.Consumer;

/** In the order in which they are run. */
public enum Phase {
  CAPTURE("no records yet: all are captured", Capture::run),
  COLD("a start with all records there", Cold::run),
  STORM("all edited, deleted, returned", Storm::run),
  OUTAGE("all deleted and returned while we were away", Outage::run),
  ROLLING("100 nodes a second return", Rolling::run),
  EDITS("people relabel nodes", Editing::run),
  IDLE("only heartbeats", Idle::run),
  FAILOVER("the owner is killed", Failover::run);

  private final String meaning;
  private final Consumer<Session> body;

  Phase(String meaning, Consumer<Session> body) {
    this.meaning = meaning;
    this.body = body;
  }

  public String meaning() {
    return meaning;
  }

  public void run(Session session) {
    body.accept(session);
  }

  /** For keys and file names. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
