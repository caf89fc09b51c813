package dev.nodekeeper.it.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Rules;
import dev.nodekeeper.testbed.Budget;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Reply;
import dev.nodekeeper.testbed.SharedControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Generated inputs, judged by us and by a dry run of the real API server. Many share a request,
 * because a refusal lists every cause: those that we accept must pass together, and each of those
 * that we refuse must be among the causes. Where a batch disagrees its inputs are asked one by one.
 *
 * <p>{@code -Dvalidator.seed=S} replays a failure, which names its seed.
 */
@DisplayName("Our rules are the API server's own")
final class ValidatorIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern QUOTED = Pattern.compile("^[A-Za-z ]+: (\"(?:[^\"\\\\]|\\\\.)*\")");
  private static final Pattern INDEX = Pattern.compile("taints\\[(\\d+)]");
  private static final int BATCH = 100;
  private static final int[] LETTERS = {'x', 'ä', 0x7ff, 0x800, '語', 0xffff, 0x1f600};

  private final Kube admin = SharedControlPlane.get().admin().withTimeout(Duration.ofSeconds(60));
  private final long seed = Long.getLong("validator.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Texts texts = new Texts(random);
  private final Tally tally = new Tally();

  /** One kind of text: how we judge it, where it goes on a node. */
  private record Place(
      String what,
      Function<String, @Nullable String> judge,
      Function<List<String>, ObjectNode> node) {}

  private static final Place LABEL_KEY =
      new Place(
          "label key",
          key -> Policy.flaw(Key.label(key), "v"),
          keys -> metadata("labels", keys, key -> key, _ -> "v"));
  private static final Place LABEL_VALUE =
      new Place(
          "label value",
          value -> Policy.flaw(Key.label("k"), value),
          values -> metadata("labels", values, value -> "k-" + values.indexOf(value), v -> v));
  private static final Place ANNOTATION_KEY =
      new Place(
          "annotation key",
          key -> Policy.flaw(Key.annotation(key), "v"),
          keys -> metadata("annotations", keys, key -> key, _ -> "v"));
  private static final Place ANNOTATION_VALUE =
      new Place(
          "annotation value",
          value -> Policy.flaw(Key.annotation("k"), value),
          values -> metadata("annotations", values, value -> "k-" + values.indexOf(value), v -> v));

  @Test
  @DisplayName("for 40,000 generated keys, values, taints, effects, names and sizes")
  void sample() {
    while (tally.sum() < 40_000) {
      round();
    }
    System.out.println(tally + " (-Dvalidator.seed=" + seed + ")");
  }

  @Test
  @Tag("long")
  @DisplayName("for as many as the budget allows")
  void search() {
    long until = System.nanoTime() + Budget.orElse("1m").toNanos();
    do {
      round();
    } while (System.nanoTime() < until);
    System.out.println(tally + " (-Dvalidator.seed=" + seed + ")");
  }

  private void round() {
    texts(LABEL_KEY, BATCH, texts::key);
    texts(ANNOTATION_KEY, BATCH, texts::key);
    texts(LABEL_VALUE, BATCH, texts::name);
    texts(ANNOTATION_VALUE, BATCH / 5, texts::name);
    taints(BATCH);
    nodeName(texts.subdomain());
    nodeName(texts.subdomain());
    sizes();
  }

  // ---- keys and values

  private void texts(Place place, int count, Supplier<String> source) {
    Set<String> accepted = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      String text = source.get();
      (place.judge().apply(text) == null ? accepted : refused).add(text);
    }
    tally.count(accepted.size(), refused.size());
    if (!dryRun(place.node().apply(List.copyOf(accepted))).ok()) {
      oneByOne(place, accepted);
    }
    if (causes(dryRun(place.node().apply(List.copyOf(refused)))) != refused.size()) {
      oneByOne(place, refused);
    }
  }

  private void oneByOne(Place place, Set<String> inputs) {
    for (String text : inputs) {
      Reply reply = dryRun(place.node().apply(List.of(text)));
      agree(place.what(), text, place.judge().apply(text), reply);
    }
    throw new AssertionError(
        place.what() + ": alone they agree, together not: " + inputs + ", seed " + seed);
  }

  /** The number of different texts that the server complains about. */
  private static int causes(Reply reply) {
    Set<String> found = new HashSet<>();
    for (JsonNode cause : reply.body().path("details").path("causes")) {
      Matcher quoted = QUOTED.matcher(cause.path("message").asText());
      if (quoted.find()) {
        found.add(quoted.group(1));
      }
    }
    return found.size();
  }

  private static ObjectNode metadata(
      String map,
      List<String> inputs,
      Function<String, String> key,
      Function<String, String> value) {
    ObjectNode node = node("n");
    ObjectNode entries = ((ObjectNode) node.get("metadata")).putObject(map);
    inputs.forEach(text -> entries.put(key.apply(text), value.apply(text)));
    return node;
  }

  // ---- taints

  /**
   * Each taint alone by our rules, and the list as a record says it: the codec keeps the first of
   * two with the same key and effect, the server refuses the second.
   */
  private void taints(int count) {
    List<Taint> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(
          !list.isEmpty() && random.nextInt(8) == 0
              ? again(list.get(random.nextInt(list.size())))
              : new Taint(
                  random.nextBoolean() ? "k" + i : texts.key(),
                  random.nextBoolean() ? "" : texts.name(),
                  random.nextBoolean() ? "NoSchedule" : texts.effect()));
    }
    Set<Integer> ours = new TreeSet<>();
    Set<Key> seen = new HashSet<>();
    for (int i = 0; i < count; i++) {
      Taint taint = list.get(i);
      boolean first = seen.add(taint.id());
      if (!first || Policy.flaw(taint.id(), taint.value()) != null) {
        ours.add(i);
      }
    }
    tally.count(count - ours.size(), ours.size());
    Reply reply = dryRun(tainted(list));
    Set<Integer> theirs = new TreeSet<>();
    for (JsonNode cause : reply.body().path("details").path("causes")) {
      Matcher index = INDEX.matcher(cause.path("field").asText());
      assertThat(index.find()).as("a cause of a taint: %s, seed %d", cause, seed).isTrue();
      theirs.add(Integer.parseInt(index.group(1)));
    }
    for (int i = 0; i < count; i++) {
      assertThat(ours.contains(i))
          .as("taint %s refused by us; the server: %s; seed %d", escaped(list.get(i)), reply, seed)
          .isEqualTo(theirs.contains(i));
    }
    asRecord(list);
  }

  /** What is left of a record's list when the flawed ones are withheld must be accepted whole. */
  private void asRecord(List<Taint> list) {
    ObjectNode json = JSON.createObjectNode();
    json.set("taints", taintsJson(list));
    var stored = RecordCodec.read("n", Origin.NONE, Map.of(RecordCodec.RECORD, json.toString()));
    List<Taint> kept = new ArrayList<>(((NodeRecord) stored).content().taints());
    long different = list.stream().map(Taint::id).distinct().count();
    assertThat(kept).as("each key and effect once, seed %d", seed).hasSize((int) different);
    assertThat(((NodeRecord) stored).notes().stream().filter(n -> n.endsWith("is there twice")))
        .as("repetitions noted, seed %d", seed)
        .hasSize(list.size() - kept.size());
    kept.removeIf(taint -> Policy.flaw(taint.id(), taint.value()) != null);
    Reply reply = dryRun(tainted(kept));
    assertThat(reply.ok())
        .as("taints that we would restore: %s; the server: %s; seed %d", kept, reply, seed)
        .isTrue();
  }

  private Taint again(Taint taint) {
    return random.nextBoolean()
        ? new Taint(taint.key(), texts.name(), taint.effect())
        : new Taint(taint.key(), taint.value(), texts.effect());
  }

  private static ObjectNode tainted(List<Taint> list) {
    ObjectNode node = node("n");
    node.putObject("spec").set("taints", taintsJson(list));
    return node;
  }

  private static ArrayNode taintsJson(List<Taint> list) {
    ArrayNode taints = JSON.createArrayNode();
    list.forEach(
        taint ->
            taints
                .addObject()
                .put("key", taint.key())
                .put("value", taint.value())
                .put("effect", taint.effect()));
    return taints;
  }

  // ---- names and sizes

  private void nodeName(String name) {
    String flaw = Rules.nodeName(name);
    tally.count(flaw == null ? 1 : 0, flaw == null ? 0 : 1);
    agree("node name", name, flaw, dryRun(node(name)));
  }

  /** Annotations of all together nearly 256 KiB, in characters of one to four bytes. */
  private void sizes() {
    int wanted = Rules.ANNOTATIONS_MAX_BYTES - 3 + random.nextInt(7);
    Map<String, String> annotations = new TreeMap<>();
    int parts = random.nextInt(4);
    for (int i = 0; i < parts; i++) {
      String letter = Character.toString(LETTERS[random.nextInt(LETTERS.length)]);
      annotations.put("part-" + i, letter.repeat(random.nextInt(20_000)));
    }
    long rest = wanted - Rules.annotationBytes(annotations) - "last".length();
    annotations.put("last", "x".repeat((int) rest));
    ObjectNode node = node("n");
    ObjectNode entries = ((ObjectNode) node.get("metadata")).putObject(Kind.ANNOTATION.setting());
    annotations.forEach(entries::put);
    boolean fits = Rules.annotationBytes(annotations) <= Rules.ANNOTATIONS_MAX_BYTES;
    tally.count(fits ? 1 : 0, fits ? 0 : 1);
    String flaw =
        parts == 0
            ? Policy.flaw(Key.annotation("last"), annotations.get("last"))
            : fits ? null : "together longer than 256 KiB";
    agree("size of annotations", wanted + " bytes in " + (parts + 1), flaw, dryRun(node));
  }

  // ----

  private Reply dryRun(ObjectNode node) {
    Reply reply = admin.create("/api/v1/nodes?dryRun=All", node);
    assertThat(reply.code()).as("%s, seed %d", reply, seed).isIn(201, 422);
    return reply;
  }

  private void agree(String what, String text, @Nullable String flaw, Reply reply) {
    assertThat(flaw == null)
        .as(
            "%s %s accepted by us (%s); the server: %d %s; seed %d",
            what, escaped(text), flaw, reply.code(), reply.ok() ? "" : reply.message(), seed)
        .isEqualTo(reply.ok());
  }

  private static ObjectNode node(String name) {
    ObjectNode node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", name);
    return node;
  }

  /** Readable in a log, whatever is in it. */
  private static String escaped(Object text) {
    StringBuilder line = new StringBuilder();
    text.toString()
        .chars()
        .forEach(c -> line.append(c >= ' ' && c < 0x7f ? "" + (char) c : "\\u%04x".formatted(c)));
    return "'" + line + "'";
  }

  /** How many were judged, and which way. */
  private static final class Tally {
    private int accepted;
    private int refused;

    void count(int moreAccepted, int moreRefused) {
      accepted += moreAccepted;
      refused += moreRefused;
    }

    int sum() {
      return accepted + refused;
    }

    @Override
    public String toString() {
      return "validator = API server: %d accepted, %d refused".formatted(accepted, refused);
    }
  }
}
