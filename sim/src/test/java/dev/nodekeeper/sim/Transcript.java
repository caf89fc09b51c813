package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Taint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;

/**
 * What a script saw, comparable between servers: uids become numbers in order of appearance,
 * revisions their rank, because only their order means something.
 */
@NullMarked
final class Transcript {
  private static final Pattern UID = Pattern.compile("\\buid=([\\w-]+)");
  private static final Pattern RV = Pattern.compile("\\brv=(\\d+)");
  private static final Pattern SIZE = Pattern.compile("\\bsize=\\d+");
  private static final Pattern FIRST = Pattern.compile("\\bfirst=(\\d+)");

  /** The revision of a list: others write in between, so what counts is what it comes after. */
  private static final Pattern AT = Pattern.compile("\\bat=(\\d+)");

  private static final Pattern CODE = Pattern.compile("^(\\d{3})\\b.*", Pattern.DOTALL);

  private final List<String> lines = new ArrayList<>();

  void add(String line) {
    lines.add(line);
  }

  List<String> canonical() {
    TreeSet<Long> revisions = new TreeSet<>();
    lines.forEach(line -> RV.matcher(line).results().forEach(m -> revisions.add(number(m))));
    revisions.remove(0L);
    Map<String, Integer> uids = new HashMap<>();
    List<String> canonical = new ArrayList<>();
    for (String line : lines) {
      String text =
          UID.matcher(line)
              .replaceAll(m -> "uid=" + uids.computeIfAbsent(m.group(1), _ -> uids.size() + 1));
      text = RV.matcher(text).replaceAll(m -> "rv=" + revisions.headSet(number(m), true).size());
      text =
          FIRST.matcher(text).replaceAll(m -> "first=" + revisions.headSet(number(m), true).size());
      // Real uids are longer than simulated ones.
      text = SIZE.matcher(text).replaceAll("size");
      text = AT.matcher(text).replaceAll(m -> "at=" + revisions.headSet(number(m), true).size());
      canonical.add(text);
    }
    return canonical;
  }

  private static long number(java.util.regex.MatchResult match) {
    return Long.parseLong(match.group(1));
  }

  /** Which node it is about; empty where it is about all of them. */
  static String name(Input input) {
    return switch (input) {
      case Input.NodeAdded(NodeState node) -> node.name();
      case Input.NodeModified(NodeState node) -> node.name();
      case Input.NodeDeleted(NodeState node) -> node.name();
      case Input.RecordSeen(var record) -> record.node();
      case Input.RecordDeleted(String node, _) -> node;
      case Input.Done(var request, _) -> request.node();
      case Input.NodeRead(var request, _) -> request.node();
      case Input.RecordRead(var request, _) -> request.node();
      default -> "";
    };
  }

  /** All that the Keeper would learn from it. */
  static String describe(Input input) {
    return switch (input) {
      case Input.NodeAdded(NodeState node) -> "ADDED " + describe(node);
      case Input.NodeModified(NodeState node) -> "MODIFIED " + describe(node);
      case Input.NodeDeleted(NodeState node) -> "DELETED " + describe(node);
      case Input.NodeRead(_, var node) -> node.map(Transcript::describe).orElse("no node");
      case Input.RecordRead(_, var record) -> record.map(Object::toString).orElse("no record");
      case Input.Done(_, var outcome) -> describe(outcome);
      default -> input.toString();
    };
  }

  static String describe(NodeState node) {
    // NB: the text of a taint leaves its time out.
    return node + " times=" + node.taints().stream().map(Taint::timeAdded).toList();
  }

  /** Without the words of an error: only its code counts. */
  private static String describe(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Conflict(String detail) -> "Conflict " + CODE.matcher(detail).replaceAll("$1");
      case Outcome.Refused(int code, _) -> "Refused " + code;
      default -> Objects.toString(outcome);
    };
  }
}
