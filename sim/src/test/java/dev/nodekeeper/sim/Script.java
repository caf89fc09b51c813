package dev.nodekeeper.sim;

import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * People, kubelets and we act on one node name and its record, one after the other. What a step
 * means is drawn from its own seed and from what this script has seen, so a step can be left out.
 */
@NullMarked
record Script(List<Step> steps) {

  record Step(What what, long seed) {}

  enum What {
    REGISTER,
    EDIT,
    SAME,
    DELETE,
    HAND_EDIT,
    FORGET,
    PATCH,
    DUPLICATE_TAINTS,
    CREATE_RECORD,
    UPDATE_RECORD,
    DELETE_RECORD,
    READ,
    LIST,
    NOTE
  }

  private static final List<What> OFTEN =
      List.of(
          What.REGISTER,
          What.REGISTER,
          What.EDIT,
          What.EDIT,
          What.EDIT,
          What.DELETE,
          What.PATCH,
          What.PATCH,
          What.PATCH,
          What.PATCH,
          What.UPDATE_RECORD,
          What.UPDATE_RECORD,
          What.CREATE_RECORD);

  static Script of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(What.REGISTER, random.nextLong()));
    int length = 10 + random.nextInt(16);
    while (steps.size() < length) {
      What what = random.nextInt(3) > 0 ? any(random, OFTEN) : any(random, List.of(What.values()));
      steps.add(new Step(what, random.nextLong()));
    }
    return new Script(steps);
  }

  Script without(int step) {
    List<Step> fewer = new ArrayList<>(steps);
    fewer.remove(step);
    return new Script(fewer);
  }

  private static <T> T any(SplittableRandom random, List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  Performance on(Side side, String name) {
    Performance performance = new Performance(side, name);
    steps.forEach(performance::step);
    return performance;
  }

  /** One run of a script. */
  static final class Performance {
    private static final String TIME = "2026-01-01T00:00:00Z";
    private static final Origin NOBODYS = new Origin("11111111-2222-3333-4444-555555555555", 1, "");
    private static final List<Key> KEYS =
        List.of(
            Key.label("team"),
            Key.label("a.example/pool"),
            Key.annotation("note"),
            Key.taint("dedicated", "NoSchedule"),
            Key.taint("dedicated", "NoExecute"),
            Key.CORDON);

    private final Side side;
    private final String name;
    private final Transcript transcript = new Transcript();
    private final List<NodeState> views = new ArrayList<>();
    private final List<Origin> origins = new ArrayList<>();
    private final List<Long> notes = new ArrayList<>();
    private @Nullable NodeState node;
    private boolean held;
    private Map<String, String> data = Map.of();
    private boolean recorded;

    /** Of the present step. */
    private SplittableRandom random = new SplittableRandom(0);

    Performance(Side side, String name) {
      this.side = side;
      this.name = name;
    }

    List<Long> notes() {
      return notes;
    }

    /** What a watch of nodes that begins there shows. */
    List<Input> since(long rv) {
      return side.nodesSince(name, rv);
    }

    /** Replies first, then what the watches have shown. */
    List<String> transcript() {
      side.watched(name).forEach(input -> transcript.add(Transcript.describe(input)));
      return transcript.canonical();
    }

    private void step(Step step) {
      random = new SplittableRandom(step.seed());
      transcript.add(step.what() + ": " + act(step.what()));
    }

    private String act(What what) {
      return switch (what) {
        case REGISTER -> node == null ? register() : "already there";
        case EDIT -> node == null ? "no node" : seen(side.change(name, edit()));
        case SAME -> node == null ? "no node" : seen(side.change(name, _ -> {}));
        case DELETE -> node == null ? "no node" : delete(node);
        case HAND_EDIT -> handEdit();
        case FORGET -> recorded ? forget() : "no record";
        case PATCH -> patched(patch());
        case DUPLICATE_TAINTS -> patched(duplicateTaints());
        case CREATE_RECORD -> created();
        case UPDATE_RECORD -> updated();
        case DELETE_RECORD -> deleted();
        case READ -> readNode() + ", " + readRecord();
        case LIST -> list();
        case NOTE -> note();
      };
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    // ---- people and kubelets

    private String register() {
      held = chance(40);
      boolean labelled = chance(60);
      boolean pooled = chance(30);
      return seen(
          side.create(
              name,
              held,
              json -> {
                json.taint("node.kubernetes.io/not-ready", "", "NoSchedule", null);
                if (labelled) {
                  json.label("kubernetes.io/hostname", name);
                }
                if (pooled) {
                  json.label("a.example/pool", "kubelet").annotation("note", "kubelet");
                }
              }));
    }

    private String seen(NodeState now) {
      node = now;
      views.add(now);
      return Transcript.describe(now);
    }

    private Consumer<NodeJson> edit() {
      Key key = any(random, KEYS);
      String value = chance(40) ? null : value();
      boolean timed = chance(50);
      return json -> {
        switch (key.kind()) {
          case LABEL -> json.label(key.name(), value);
          case ANNOTATION -> json.annotation(key.name(), value);
          case TAINT -> json.taint(key.name(), value, key.effect(), timed ? TIME : null);
          case CORDON -> json.cordon(value);
        }
      };
    }

    private String value() {
      return any(random, List.of("", "a", "b"));
    }

    private String delete(NodeState last) {
      if (held && !last.terminating()) {
        return seen(side.terminate(name));
      }
      if (held && chance(60)) {
        return "again " + seen(side.terminate(name));
      }
      if (held) {
        side.release(name);
      } else {
        side.delete(name);
      }
      node = null;
      return "gone";
    }

    private String handEdit() {
      data = newData();
      side.writeRecord(name, data);
      recorded = true;
      return readRecord();
    }

    private String forget() {
      side.deleteRecord(name);
      recorded = false;
      return "forgotten";
    }

    // ---- we

    /** Mostly from the newest view; else from an older one, perhaps of an earlier life. */
    private Effect.PatchNode patch() {
      NodeState view = chance(8) ? imposter() : view();
      Map<Key, Optional<String>> changes = new TreeMap<>();
      for (Key key : KEYS) {
        if (chance(40)) {
          String set = key.equals(Key.CORDON) ? "true" : value();
          changes.put(key, chance(30) ? Optional.empty() : Optional.of(set));
        }
      }
      String marker = chance(70) ? "1.marker-" + value() : null;
      String withheld = chance(20) ? "label:x" : "";
      RestorePatch patch = new RestorePatch(view, changes, marker, withheld);
      if (chance(15)) {
        patch = patch.taintsAlone().orElse(patch);
      }
      return chance(50)
          ? patch(view, RestorePatch.MERGE, patch.mergeBody())
          : patch(view, RestorePatch.JSON, patch.testedBody());
    }

    private NodeState view() {
      return views.isEmpty() ? view(NOBODYS.rv(), Content.EMPTY) : aged(views);
    }

    /** The revision is right, the uid is not. */
    private NodeState imposter() {
      return views.isEmpty() ? view() : view(views.getLast().rv(), views.getLast().content());
    }

    private NodeState view(long rv, Content content) {
      return new NodeState(
          name,
          NOBODYS.uid(),
          rv,
          false,
          content,
          List.of(),
          null,
          null,
          Identity.NONE,
          false,
          false,
          0);
    }

    private <T> T aged(List<T> list) {
      int back = chance(60) ? 0 : random.nextInt(Math.min(6, list.size()));
      return list.get(list.size() - 1 - back);
    }

    private Effect.PatchNode patch(NodeState view, String type, String body) {
      return new Effect.PatchNode(name, view.uid(), view.rv(), type, body, Purpose.RESTORE);
    }

    private Effect.PatchNode duplicateTaints() {
      NodeState view = view();
      String taint = "{\"key\":\"twice\",\"value\":\"%s\",\"effect\":\"NoSchedule\"}";
      String body =
          "{\"metadata\":{\"uid\":\"%s\",\"resourceVersion\":\"%d\"},\"spec\":{\"taints\":[%s,%s]}}"
              .formatted(view.uid(), view.rv(), taint.formatted("a"), taint.formatted("b"));
      return patch(view, RestorePatch.MERGE, body);
    }

    private String patched(Effect.PatchNode patch) {
      Input answer = side.perform(patch);
      return Transcript.describe(answer) + " " + readNode();
    }

    private String readNode() {
      Input answer = side.perform(new Effect.ReadNode(name));
      if (answer instanceof Input.NodeRead(_, var found) && found.isPresent()) {
        seen(found.get());
      }
      return Transcript.describe(answer);
    }

    private String created() {
      Map<String, String> next = newData();
      return wrote(
          side.perform(new Effect.CreateRecord(name, next, record(), Purpose.CREATE)), next);
    }

    private String updated() {
      Map<String, String> next = chance(25) && !data.isEmpty() ? data : newData();
      var update = new Effect.UpdateRecord(name, next, record(), Purpose.CAPTURE);
      return wrote(side.perform(update), next);
    }

    private String wrote(Input answer, Map<String, String> next) {
      if (answer instanceof Input.Done(_, Outcome.Ok(Origin origin))) {
        data = next;
        origins.add(origin);
        recorded = true;
      }
      return Transcript.describe(answer);
    }

    private String deleted() {
      Input answer = side.perform(new Effect.DeleteRecord(name, record()));
      if (answer instanceof Input.Done(_, Outcome.Ok _)) {
        recorded = false;
      }
      return Transcript.describe(answer);
    }

    private String readRecord() {
      Input answer = side.perform(new Effect.ReadRecord(name));
      if (answer instanceof Input.RecordRead(_, var found) && found.isPresent()) {
        origins.add(found.get().origin());
      }
      return Transcript.describe(answer);
    }

    /** As a precondition: mostly of the newest write. */
    private NodeRecord record() {
      return NodeRecord.none(name).storedAs(origins.isEmpty() ? NOBODYS : aged(origins));
    }

    /** A record of the node as seen, or something that is none. */
    private Map<String, String> newData() {
      if (views.isEmpty() || chance(20)) {
        return new HashMap<>(Map.of(RecordCodec.RECORD, chance(50) ? "{}" : "no JSON " + value()));
      }
      NodeState from = aged(views);
      NodeRecord.Draft draft =
          new NodeRecord.Draft(from.content(), from.uid(), from.rv(), Identity.NONE, Set.of());
      String nonce = "nonce-of-22-characters-" + random.nextInt(1000);
      return RecordCodec.write(NodeRecord.none(name).next(draft, nonce, TIME, 4));
    }

    private String list() {
      Side.Listed listed = side.list(name);
      List<String> nodes =
          listed.nodes().stream().map(n -> Transcript.describe((NodeState) n)).toList();
      return nodes + " " + listed.records() + " at=" + listed.rv();
    }

    private String note() {
      notes.add(side.list(name).rv());
      return "noted";
    }
  }
}
