package dev.nodekeeper.testbed.fault;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** What is sent on in place of one event of a watch, called with the events in their order. */
@FunctionalInterface
public interface FrameEdit {

  List<Frame> of(Frame frame) throws InterruptedException;

  static FrameEdit drop(Predicate<Frame> which) {
    return frame -> which.test(frame) ? List.of() : List.of(frame);
  }

  static FrameEdit repeat(Predicate<Frame> which) {
    return frame -> which.test(frame) ? List.of(frame, frame) : List.of(frame);
  }

  /** The first such event and all behind it wait: a watch has an order. */
  static FrameEdit hold(Predicate<Frame> which, Gate gate) {
    return frame -> {
      if (which.test(frame)) {
        gate.pass();
      }
      return List.of(frame);
    };
  }

  /** The first such event changes places with its successor. */
  static FrameEdit swapWithNext(Predicate<Frame> which) {
    var early = new ArrayDeque<Frame>();
    var once = new AtomicBoolean();
    return frame -> {
      if (!early.isEmpty()) {
        return List.of(frame, early.pop());
      }
      if (which.test(frame) && once.compareAndSet(false, true)) {
        early.push(frame);
        return List.of();
      }
      return List.of(frame);
    };
  }

  /**
   * DELETED is lost and the new object arrives as MODIFIED, as from an etcd that compacted between
   * the two (etcd #18089).
   */
  static FrameEdit foldDeleteIntoModify(String name) {
    Set<String> deleted = ConcurrentHashMap.newKeySet();
    return frame -> {
      if (frame.is("DELETED", name)) {
        deleted.add(name);
        return List.of();
      }
      return frame.is("ADDED", name) && deleted.remove(name)
          ? List.of(frame.withType("MODIFIED"))
          : List.of(frame);
    };
  }

  /** First this one, then the other on each of its results. */
  default FrameEdit then(FrameEdit next) {
    return frame -> {
      var all = new ArrayList<Frame>();
      for (var each : of(frame)) {
        all.addAll(next.of(each));
      }
      return all;
    };
  }
}
