package dev.nodekeeper.share;

/** One lease that may be ours: what we are doing about it, and until when we have it. */
final class Seat {
  /** Of the lease that says only that we are there. */
  static final int MEMBER = -1;

  private final String name;
  private final int shard;

  /** A request is under way; one at a time. */
  private boolean busy;

  /** It is not what we thought: look before doing anything else. */
  private boolean doubtful;

  /** To be renewed. */
  private boolean due;

  private boolean giving;
  private long givingSince;
  private long keepUntil;
  private boolean keeping;
  private long pauseUntil;
  private boolean pausing;
  private boolean held;
  private long deadline;
  private long sinceRv;
  private long learned;
  private boolean informed;

  Seat(String name, int shard) {
    this.name = name;
    this.shard = shard;
  }

  String name() {
    return name;
  }

  int shard() {
    return shard;
  }

  long deadline() {
    return deadline;
  }

  long sinceRv() {
    return sinceRv;
  }

  boolean giving() {
    return giving;
  }

  boolean doubtful() {
    return doubtful;
  }

  boolean busy() {
    return busy;
  }

  /** Ours by a renewal that still counts. */
  boolean valid(long now) {
    return held && deadline - now > 0;
  }

  /** Valid, and to be worked on. */
  boolean owned(long now) {
    return !giving && valid(now);
  }

  boolean ready(long now) {
    return !busy && !(pausing && pauseUntil - now > 0);
  }

  boolean renewable(long now) {
    return !giving && ready(now) && (due || !valid(now));
  }

  /** Whether what was asked then can be news. */
  boolean informedBefore(long sent) {
    return !busy && (!informed || learned - sent <= 0);
  }

  /** Whether a survey that was sent then shows it as ours. */
  boolean heldBefore(long sent) {
    return held && learned - sent <= 0;
  }

  void begin() {
    busy = true;
  }

  void due() {
    due = true;
  }

  /** From now on nobody here works on it; it is released when nothing is in flight any more. */
  void giveUp(long now) {
    if (!giving) {
      giving = true;
      givingSince = now;
    }
  }

  /** Not to be given away before that, for the sake of others. */
  void keep(long until) {
    keeping = true;
    keepUntil = until;
  }

  boolean keeping(long now) {
    return keeping && keepUntil - now > 0;
  }

  /** So long that whatever is still in flight must do without us. */
  boolean givingLong(long now) {
    return now - givingSince >= Terms.DRAIN.toNanos();
  }

  /** The server's word on it; the request, if there was one, has ended. */
  void learn(long now) {
    busy = false;
    doubtful = false;
    pausing = false;
    learned = now;
    informed = true;
  }

  /** Taken or renewed, from the moment of sending; a gap before makes it a new beginning. */
  void renewed(long until, long rv, long now) {
    if (!valid(now)) {
      sinceRv = rv;
    }
    held = true;
    deadline = until;
    due = false;
  }

  /** Not ours, or no longer. */
  void lost() {
    held = false;
    giving = false;
    due = false;
  }

  void doubt() {
    busy = false;
    doubtful = true;
  }

  void failed(long until) {
    busy = false;
    pausing = true;
    pauseUntil = until;
  }
}
