package dev.nodekeeper.bench.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The machines, and what people want on them: everything follows from a number, so that 100,000
 * expectations fit into a few arrays.
 */
public final class Fleet {
  /** Always there once people have been at a node, so that its presence shows a restore. */
  public static final String SENTINEL = "acme.com/asset";

  /** The label that people keep editing. */
  public static final String TICKET = "acme.com/ticket";

  /** The label that people take away from some. */
  public static final String LANE = "acme.com/lane";

  /** Changes with each plain patch, or the server would not write it; nobody keeps annotations. */
  public static final String PLAIN = "acme.com/plain";

  /** All tickets have six digits: none is the beginning of another. */
  private static final int FIRST_TICKET = 100_000;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PER_RACK = 40;
  private static final int LANELESS_OF = 10;
  private static final List<String> POOLS =
      List.of("gpu-h100", "gpu-a100", "cpu-amd", "storage", "edge");
  private static final List<String> TEAMS =
      List.of("vision", "speech", "search", "ads", "maps", "payments", "core-ml");

  private final String[] names;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final int[] tickets;
  private final boolean[] laneless;
  private final AtomicInteger lastTicket = new AtomicInteger(FIRST_TICKET);
  private final KubeletBody kubelet;
  private final int[] order;
  private final Object[] turns;

  public Fleet(int size, long seed) {
    names = new String[size];
    for (int i = 0; i < size; i++) {
      int rack = i / PER_RACK;
      names[i] = "%s-fra%d-r%04d-u%02d".formatted(pool(i), 1 + rack % 3, rack, i % PER_RACK);
      indexes.put(names[i], i);
    }
    tickets = new int[size];
    Arrays.fill(tickets, FIRST_TICKET);
    laneless = new boolean[size];
    kubelet = new KubeletBody(seed);
    order = shuffled(size, new SplittableRandom(seed));
    turns = new Object[size];
    Arrays.setAll(turns, _ -> new Object());
  }

  private static int[] shuffled(int size, SplittableRandom random) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  private static String pool(int index) {
    return POOLS.get(index / PER_RACK % POOLS.size());
  }

  public int size() {
    return names.length;
  }

  public String name(int index) {
    return names[index];
  }

  /** -1 for a node that is not of this fleet. */
  public int index(String name) {
    return indexes.getOrDefault(name, -1);
  }

  /** The k-th machine in the order in which things happen to them; goes round. */
  public int at(int k) {
    return order[k % order.length];
  }

  public String path(int index) {
    return "/api/v1/nodes/" + names[index];
  }

  /** To be held by whoever does something to a machine that somebody else may be at. */
  public Object turn(int index) {
    return turns[index];
  }

  public String registration(int index) {
    return kubelet.registration(index, names[index]);
  }

  // ---- people

  /** What people want on it now: ten labels, or nine. */
  public Map<String, String> labels(int index) {
    int rack = index / PER_RACK;
    var team = TEAMS.get(rack % TEAMS.size());
    var labels = new TreeMap<String, String>();
    labels.put("team", team);
    labels.put("cost-center", "cc-" + (4000 + rack % 50));
    labels.put("node-role.kubernetes.io/" + pool(index), "");
    labels.put("acme.com/pool", pool(index));
    labels.put("acme.com/row", "row-" + rack / 20);
    labels.put(SENTINEL, "A%06d".formatted(index));
    labels.put("acme.com/warranty", "2028-%02d".formatted(1 + rack % 12));
    labels.put("acme.com/contact", "oncall-" + team);
    labels.put(TICKET, ticketText(tickets[index]));
    if (!laneless[index]) {
      labels.put(LANE, "lane-" + index % 4);
    }
    return labels;
  }

  /** Whether a label is the kubelet's, which nobody keeps. */
  public static boolean isFact(String label) {
    return KubeletBody.isFact(label);
  }

  /** Three, as {@code key=value:effect}. */
  public List<String> taints(int index) {
    var team = TEAMS.get(index / PER_RACK % TEAMS.size());
    return List.of(
        "acme.com/window=sat-0%d:PreferNoSchedule".formatted(1 + index % 4),
        "dedicated=" + team + ":NoSchedule",
        "nvidia.com/gpu=present:NoSchedule");
  }

  /**
   * All of it as one merge patch, of the size of a restore.
   *
   * @param round makes it differ from the last one
   */
  public String everything(int index, int round) {
    var patch = JSON.createObjectNode();
    var metadata = patch.putObject("metadata");
    metadata.set("labels", JSON.valueToTree(labels(index)));
    metadata
        .putObject("annotations")
        .put(PLAIN, "p-" + round)
        .put("acme.com/inventory", "b3f1c2d4e5a697887766554433221100ffeeddccbbaa99887766");
    var taints = patch.putObject("spec").putArray("taints");
    for (var taint : taints(index)) {
      int is = taint.indexOf('=');
      int colon = taint.lastIndexOf(':');
      taints
          .addObject()
          .put("key", taint.substring(0, is))
          .put("value", taint.substring(is + 1, colon))
          .put("effect", taint.substring(colon + 1));
    }
    return patch.toString();
  }

  /** A person's next edit of a machine. */
  public record Edit(int index, int ticket, String body) {}

  /** From now on this is what people want there. */
  public Edit edit(int index) {
    return edit(index, Map.of());
  }

  /** The same, and a label is taken away from every tenth machine. */
  public Edit editForGood(int index) {
    laneless[index] |= index % LANELESS_OF == 0;
    return edit(index, laneless[index] ? Map.of(LANE, "") : Map.of());
  }

  private Edit edit(int index, Map<String, String> gone) {
    int ticket = lastTicket.incrementAndGet();
    tickets[index] = ticket;
    ObjectNode patch = JSON.createObjectNode();
    var labels = patch.putObject("metadata").putObject("labels");
    labels.put(TICKET, ticketText(ticket));
    gone.keySet().forEach(labels::putNull);
    return new Edit(index, ticket, patch.toString());
  }

  private static String ticketText(int ticket) {
    return "t-" + ticket;
  }
}
