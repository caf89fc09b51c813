package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One page of the fleet in the order of names, and how many are in which state. It keeps nothing,
 * and looks at a node as briefly as a metric does: what a person wants to know exactly of one node
 * is read and decided anew.
 *
 * @param states of all nodes and records
 * @param matching how many the query fits, on this page or not
 * @param more there are further ones in the direction that was asked for
 */
public record Survey(Map<State, Integer> states, int matching, List<Row> rows, boolean more) {

  /** One line of the page. */
  public record Row(
      String node, State state, int labels, int taints, int annotations, boolean cordoned) {}

  /**
   * What is asked for.
   *
   * @param text part of the name, or {@code label=value}; empty for all
   * @param states empty for all
   * @param from the name that the page goes on from, not included; empty for the beginning
   * @param backwards the page that ends before that name
   */
  public record Query(String text, Set<State> states, String from, boolean backwards, int limit) {

    /** Only the numbers. */
    public static final Query NUMBERS = new Query("", Set.of(), "", false, 0);

    boolean fits(Slot slot, State state) {
      if (!states.isEmpty() && !states.contains(state)) {
        return false;
      }
      int is = text.indexOf('=');
      return is < 0
          ? slot.name.contains(text.toLowerCase(Locale.ROOT))
          : text.substring(is + 1).equals(content(slot).get(Key.label(text.substring(0, is))));
    }

    boolean beyond(String name) {
      return from.isEmpty() || (backwards ? name.compareTo(from) < 0 : name.compareTo(from) > 0);
    }
  }

  static Survey of(Collection<Slot> slots, Duty duty, Query query) {
    Map<State, Integer> states = new EnumMap<>(State.class);
    int matching = 0;
    int beyond = 0;
    // The farthest of those on the page is on top, and goes when a nearer one comes.
    Comparator<Slot> farthest = Comparator.comparing((Slot slot) -> slot.name);
    PriorityQueue<Slot> page =
        new PriorityQueue<>(query.backwards() ? farthest : farthest.reversed());
    for (Slot slot : slots) {
      State state = state(slot, duty);
      if (state == null) {
        continue;
      }
      states.merge(state, 1, Integer::sum);
      if (!query.fits(slot, state)) {
        continue;
      }
      matching++;
      if (query.beyond(slot.name)) {
        beyond++;
        page.add(slot);
        if (page.size() > query.limit()) {
          page.remove();
        }
      }
    }
    List<Row> rows = new ArrayList<>();
    page.stream()
        .sorted(farthest)
        .forEach(slot -> rows.add(row(slot, Objects.requireNonNull(state(slot, duty)))));
    return new Survey(states, matching, List.copyOf(rows), beyond > rows.size());
  }

  private static Row row(Slot slot, State state) {
    Content content = content(slot);
    return new Row(
        slot.name,
        state,
        count(content, Kind.LABEL),
        count(content, Kind.TAINT),
        count(content, Kind.ANNOTATION),
        content.unschedulable());
  }

  private static int count(Content content, Kind kind) {
    return (int) content.keys().stream().filter(key -> key.kind() == kind).count();
  }

  /** Of the node, or of the record where that is all there is. */
  private static Content content(Slot slot) {
    return slot.node == null ? slot.recordContent() : slot.node.content();
  }

  /** Null where there is neither node nor record, only what is remembered of a deleted one. */
  private static @Nullable State state(Slot slot, Duty duty) {
    NodeState node = slot.node;
    if (slot.hasRecord() && !slot.hasReadable()) {
      return State.UNREADABLE;
    }
    if (node == null) {
      return slot.hasRecord() ? State.AWAY : null;
    }
    if (node.terminating()) {
      return State.LEAVING;
    }
    if (!slot.hasRecord()) {
      return node.content().isEmpty() ? State.NOTHING_TO_KEEP : State.TO_BE_CAPTURED;
    }
    boolean settled = slot.calm && duty.role == Role.ALL && duty.covers(slot);
    if (settled || node.withheld() != null || node.content().equals(slot.recordContent())) {
      return State.IN_STEP;
    }
    return node.marker() != null || slot.recordOf(node)
        ? State.TO_BE_CAPTURED
        : State.TO_BE_RESTORED;
  }
}
