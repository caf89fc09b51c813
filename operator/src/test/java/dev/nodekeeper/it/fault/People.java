package dev.nodekeeper.it.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;

/**
 * One person with some nodes, and what is wanted of them: whatever that person last set or removed,
 * however often the nodes come and go.
 *
 * <p>A person removes a label only where it is to be seen, and changes one taint at a time, after
 * the node has got its own back: whoever replaces a list has read it, and a list in which all
 * restored taints make room for another one is taken for a blind write.
 */
final class People implements Runnable {
  private static final List<String> KEYS = List.of("team", "rack", "tier", "example.com/owner");

  private final World world;
  private final List<Machine> machines;
  private final Random random;
  private final Lock mayAct;
  private final Map<String, Map<String, String>> labels = new TreeMap<>();
  private final Map<String, List<String>> taints = new TreeMap<>();
  private final Map<String, Boolean> present = new TreeMap<>();
  private int number;
  volatile boolean enough;
  volatile int actions;

  People(World world, List<Machine> machines, long seed, Lock mayAct) {
    this.world = world;
    this.machines = machines;
    this.random = new Random(seed);
    this.mayAct = mayAct;
    for (Machine machine : machines) {
      labels.put(machine.name(), new TreeMap<>());
      taints.put(machine.name(), List.of());
      present.put(machine.name(), false);
    }
  }

  @Override
  public void run() {
    try {
      while (!enough) {
        mayAct.lock();
        try {
          act(machines.get(random.nextInt(machines.size())));
          actions++;
        } finally {
          mayAct.unlock();
        }
        Thread.sleep(20 + random.nextInt(250));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void act(Machine machine) {
    String name = machine.name();
    if (!present.get(name)) {
      register(machine);
      if (random.nextInt(3) == 0) {
        setLabel(name);
      }
      return;
    }
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> setLabel(name);
      case 3 -> removeLabel(name);
      case 4 -> setTaints(name);
      case 5 -> world.fleet.heartbeat(List.of(machine));
      case 6 -> vanish(name);
      case 7 -> {
        setLabel(name);
        vanish(name);
      }
      case 8 -> {
        vanish(name);
        register(machine);
      }
      default -> {
        setLabel(name);
        vanish(name);
        register(machine);
        setLabel(name);
      }
    }
  }

  private void register(Machine machine) {
    world.register(machine);
    present.put(machine.name(), true);
  }

  private void vanish(String name) {
    world.vanish(name);
    present.put(name, false);
  }

  private void setLabel(String name) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    String value = "v" + ++number;
    world.label(name, key, value);
    labels.get(name).put(key, value);
  }

  private void removeLabel(String name) {
    for (String key : World.labels(world.node(name)).keySet()) {
      world.unlabel(name, key);
      labels.get(name).remove(key);
      return;
    }
  }

  private void setTaints(String name) {
    if (!world.taints(name).equals(taints.get(name))) {
      return;
    }
    String key = random.nextBoolean() ? "dedicated" : "maintenance";
    List<String> all = new ArrayList<>(taints.get(name));
    boolean had = all.removeIf(taint -> taint.startsWith(key));
    if (!had || random.nextBoolean()) {
      all.add(key + "=v" + ++number + ":NoSchedule");
    }
    all.sort(null);
    world.taint(name, all.toArray(String[]::new));
    taints.put(name, all);
  }

  /** Every node is there and has something to lose. */
  void moveIn() {
    bringAllBack();
    machines.forEach(machine -> setLabel(machine.name()));
  }

  /** Those that are away return. */
  void bringAllBack() {
    machines.stream().filter(m -> !present.get(m.name())).forEach(this::register);
  }

  /** What is not as wanted, by node; of those that are away only the record can be. */
  Map<String, String> complaints(Look look) {
    Map<String, String> found = unsaved(look, false);
    for (Machine machine : machines) {
      String name = machine.name();
      if (present.get(name)) {
        JsonNode node = look.node(name);
        if (!World.labels(node).equals(labels.get(name))
            || !World.taints(node).equals(taints.get(name))) {
          found.put(name, "has " + World.labels(node) + World.taints(node) + wanted(name));
        }
      }
    }
    return found;
  }

  /** Records that are not as wanted, of nodes that are away: only they can still know it. */
  Map<String, String> unsaved(Look look) {
    return unsaved(look, true);
  }

  private Map<String, String> unsaved(Look look, boolean onlyAway) {
    Map<String, String> found = new TreeMap<>();
    for (Machine machine : machines) {
      String name = machine.name();
      if (!(onlyAway && present.get(name)) && !asWanted(name, look.record(name))) {
        found.put(name, "has the record " + look.record(name) + wanted(name));
      }
    }
    return found;
  }

  private String wanted(String name) {
    return ", wanted " + labels.get(name) + taints.get(name) + (present.get(name) ? "" : ", away");
  }

  private boolean asWanted(String name, JsonNode record) {
    JsonNode asNode = World.JSON.createObjectNode().set("spec", record);
    return Look.labels(record).equals(labels.get(name))
        && World.taints(asNode).equals(taints.get(name));
  }
}
