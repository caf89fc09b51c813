package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one input gives: reports, and requests within the limit of those in flight. */
final class Outbox {
  private final int limit;
  private List<Effect> effects = new ArrayList<>();
  private Moment moment = new Moment(0, 0, () -> "");
  private int inFlight;

  Outbox(int limit) {
    this.limit = limit;
  }

  void open(Moment now) {
    moment = now;
    effects = new ArrayList<>();
  }

  List<Effect> close() {
    return effects;
  }

  long now() {
    return moment.millis();
  }

  /** By the API server's clock; 0 while unknown. */
  long serverNow() {
    return moment.serverMillis();
  }

  String nonce() {
    return moment.nonce().get();
  }

  int inFlight() {
    return inFlight;
  }

  boolean hasRoom() {
    return inFlight < limit;
  }

  void send(Slot slot, Effect.Request request) {
    send(slot, request, null);
  }

  void send(Slot slot, Effect.Request request, @Nullable Tombstone settles) {
    Turn turn = slot.turn();
    turn.inFlight = request;
    turn.inFlightFor = settles;
    turn.overtaken = false;
    slot.calm = false;
    inFlight++;
    effects.add(request);
  }

  /** What is in flight may still wait for its turn: not any more if its reasons are over. */
  void recall(Slot slot) {
    Turn turn = slot.turn();
    if (turn.inFlight != null && turn.overtaken) {
      effects.add(new Effect.Recall(turn.inFlight));
    }
  }

  /** The tombstone that the request was to settle. */
  @Nullable Tombstone finished(Slot slot) {
    Turn turn = slot.turn();
    Tombstone settles = turn.inFlightFor;
    if (turn.inFlight != null) {
      turn.inFlight = null;
      turn.inFlightFor = null;
      inFlight--;
    }
    return settles;
  }

  void report(String node, Reason reason, String message) {
    report(node, reason, message, Effect.Facts.NONE);
  }

  void report(String node, Reason reason, String message, Effect.Facts facts) {
    effects.add(new Effect.Report(node, reason, message, facts));
  }

  void reportOnce(Slot slot, Reason reason, String message) {
    if (slot.once().firstTime(reason + message)) {
      NodeRecord record = slot.readable();
      long version = record == null ? 0 : record.generation();
      report(slot.name, reason, message, Effect.Facts.of(version));
    }
  }

  /** For people: not longer than a line or two. */
  static String names(Iterable<Key> keys) {
    StringBuilder text = new StringBuilder();
    keys.forEach(key -> text.append(text.isEmpty() ? "" : ", ").append(key));
    return text.length() > 500 ? text.substring(0, 500) + "..." : text.toString();
  }
}
