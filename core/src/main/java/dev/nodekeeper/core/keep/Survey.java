package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
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
import java.util.function.Predicate;

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

    /** Whether a name or a label is what was asked for; made once, asked 100,000 times. */
    Predicate<Slot> fits() {
      int is = text.indexOf('=');
      if (text.isEmpty()) {
        return _ -> true;
      }
      if (is < 0) {
        String lower = text.toLowerCase(Locale.ROOT);
        return slot -> slot.name.contains(lower);
      }
      Key label = Key.label(text.substring(0, is));
      String value = text.substring(is + 1);
      return slot -> value.equals(content(slot).get(label));
    }

    boolean beyond(String name) {
      return from.isEmpty() || (backwards ? name.compareTo(from) < 0 : name.compareTo(from) > 0);
    }
  }

  static Survey of(Collection<Slot> slots, Query query) {
    int[] numbers = new int[State.values().length];
    Predicate<Slot> fits = query.fits();
    int matching = 0;
    int beyond = 0;
    // The farthest of those on the page is on top, and goes when a nearer one comes.
    Comparator<Slot> farthest = Comparator.comparing((Slot slot) -> slot.name);
    Comparator<Slot> order = query.backwards() ? farthest : farthest.reversed();
    PriorityQueue<Slot> page = new PriorityQueue<>(order);
    for (Slot slot : slots) {
      State state = slot.state();
      if (state == null) {
        continue;
      }
      numbers[state.ordinal()]++;
      boolean wanted = query.states().isEmpty() || query.states().contains(state);
      if (!wanted || !fits.test(slot)) {
        continue;
      }
      matching++;
      if (query.beyond(slot.name)) {
        beyond++;
        boolean room = page.size() < query.limit();
        if (room || (!page.isEmpty() && order.compare(slot, page.peek()) > 0)) {
          page.add(slot);
        }
        if (page.size() > query.limit()) {
          page.remove();
        }
      }
    }
    Map<State, Integer> states = new EnumMap<>(State.class);
    for (State state : State.values()) {
      if (numbers[state.ordinal()] > 0) {
        states.put(state, numbers[state.ordinal()]);
      }
    }
    List<Row> rows = new ArrayList<>();
    page.stream()
        .sorted(farthest)
        .forEach(slot -> rows.add(row(slot, Objects.requireNonNull(slot.state()))));
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
}
