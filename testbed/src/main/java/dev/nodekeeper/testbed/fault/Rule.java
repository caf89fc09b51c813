package dev.nodekeeper.testbed.fault;

import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sentence about calls: {@code proxy.on(patch("/api/v1/nodes/n1")).nth(2).dropReply()}. Without a
 * number it is about all of them. Rules that fit the same call apply in the order they were made.
 */
public final class Rule {

  /** The three moments of a request that an observer on the wire can tell apart. */
  public enum Point {
    /** Here, but not yet sent to the API server. */
    BEFORE_SEND,
    /** The API server has answered, so a write is committed; the client has not heard. */
    BEFORE_REPLY,
    /** The client was sent its reply. */
    AFTER_REPLY
  }

  /** What happens at a point; may wait, or throw to end the connection. */
  @FunctionalInterface
  interface Step {
    void on(Call call) throws CutException, InterruptedException;
  }

  private final Match match;
  private final Map<Call, Integer> numbers = new IdentityHashMap<>();
  private final Map<Point, Step> steps = new ConcurrentHashMap<>();
  private final Gate lifted = new Gate();
  private final List<Gate> gates = new CopyOnWriteArrayList<>(List.of(lifted));
  private volatile int from = 1;
  private volatile int to = Integer.MAX_VALUE;
  private volatile @Nullable Answer answer;
  private volatile @Nullable FrameEdit frames;

  Rule(Match match) {
    this.match = match;
  }

  /** In place of the API server's. */
  record Answer(int status, Duration retryAfter) {}

  // ---- which of them

  public Rule first() {
    return nth(1);
  }

  /** Only the n-th that fits, counted from 1. */
  public Rule nth(int n) {
    from = n;
    to = n;
    return this;
  }

  public Rule firstOnes(int n) {
    to = n;
    return this;
  }

  // ---- what happens to it

  /** The connection ends and the API server never hears of the request. */
  public Rule refuse() {
    return at(Point.BEFORE_SEND, this::cut);
  }

  /** The API server does it, the connection ends before the reply. */
  public Rule dropReply() {
    return at(Point.BEFORE_REPLY, this::cut);
  }

  /** One-way partition: the request is on its way for as long as the rule stands. */
  public Rule muteRequests() {
    return at(Point.BEFORE_SEND, _ -> lifted.pass());
  }

  /**
   * The other way: done, but replies and events are on their way for as long as the rule stands.
   */
  public Rule muteReplies() {
    frames = FrameEdit.hold(_ -> true, lifted);
    return at(Point.BEFORE_REPLY, _ -> lifted.pass());
  }

  public Rule delay(Duration there, Duration back) {
    frames =
        frame -> {
          Thread.sleep(back);
          return List.of(frame);
        };
    return at(Point.BEFORE_SEND, _ -> Thread.sleep(there))
        .at(Point.BEFORE_REPLY, _ -> Thread.sleep(back));
  }

  public Rule answer(int status) {
    return answer(status, Duration.ZERO);
  }

  public Rule answer(int status, Duration retryAfter) {
    answer = new Answer(status, retryAfter);
    return this;
  }

  /** They wait before they go to the API server; also when their client has long given up. */
  public Gate holdRequest() {
    return gate(Point.BEFORE_SEND);
  }

  /** Their replies wait: the API server has done it, the client does not know. */
  public Gate holdReply() {
    return gate(Point.BEFORE_REPLY);
  }

  /** Edits the events of watches, open ones as well. */
  public Rule edit(FrameEdit edit) {
    frames = edit;
    return this;
  }

  /** Runs this at that point of each, then lets it go on. */
  public Rule run(Point point, Consumer<Call> action) {
    return at(point, action::accept);
  }

  /** Runs this at that point of each, and ends the connection. */
  public Rule runAndCut(Point point, Consumer<Call> action) {
    return at(
        point,
        call -> {
          action.accept(call);
          cut(call);
        });
  }

  // ---- for the proxy

  private Rule at(Point point, Step step) {
    steps.put(point, step);
    return this;
  }

  private Gate gate(Point point) {
    var gate = new Gate();
    gates.add(gate);
    at(point, _ -> gate.pass());
    return gate;
  }

  private void cut(Call call) throws CutException {
    throw new CutException(match.title() + " was to be cut: " + call);
  }

  /** A call gets its number when the rule first sees it, and keeps it. */
  boolean fits(Call call) {
    if (!match.test().test(call)) {
      return false;
    }
    int number;
    synchronized (numbers) {
      numbers.putIfAbsent(call, numbers.size() + 1);
      number = numbers.getOrDefault(call, 0);
    }
    return from <= number && number <= to;
  }

  @Nullable Step step(Point point) {
    return steps.get(point);
  }

  @Nullable Answer answer() {
    return answer;
  }

  @Nullable FrameEdit frames() {
    return frames;
  }

  /** Whatever waits because of this rule goes on. */
  void lift() {
    gates.forEach(Gate::release);
  }
}
