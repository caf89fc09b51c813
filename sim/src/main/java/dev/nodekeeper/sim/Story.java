package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A history as a person reads it: who did what, what each replica saw, sent and got. */
final class Story {
  private static final Pattern MARKER = Pattern.compile("\\b(\\d+)\\.[A-Za-z0-9_-]{43}");

  private final List<String> lines = new ArrayList<>();

  void tell(String who, String what) {
    lines.add("  " + (who + "            ").substring(0, 9) + " " + shorten(what));
  }

  String text() {
    return String.join("\n", lines);
  }

  private static String shorten(String text) {
    String plain =
        MARKER
            .matcher(text)
            .replaceAll("m$1")
            .replace("nodekeeper.dev/", "")
            .replace("label:", "")
            .replace(":NoSchedule", "");
    return plain.length() > 400 ? plain.substring(0, 400) + "..." : plain;
  }

  static String of(Input input) {
    return switch (input) {
      case Input.NodeAdded(var node) -> "sees ADDED " + state(node);
      case Input.NodeModified(var node) -> "sees MODIFIED " + state(node);
      case Input.NodeDeleted(var node) -> "sees DELETED " + state(node);
      case Input.RecordSeen(var stored) -> "sees record " + stored(stored);
      case Input.RecordDeleted(String node, long rv) -> "sees record of " + node + " gone @" + rv;
      case Input.Done(var request, var outcome) -> "gets " + outcome + " for " + of(request);
      case Input.NodeRead(var request, var node) ->
          "reads node " + request.node() + ": " + node.map(Story::state).orElse("none");
      case Input.RecordRead(var request, var record) ->
          "reads record of " + request.node() + ": " + record.map(Story::stored).orElse("none");
      case Input.NodesListed(var nodes, long rv) ->
          "lists nodes @" + rv + " " + nodes.stream().map(Story::state).toList();
      case Input.RecordsListed(var records, long rv) ->
          "lists records @" + rv + " " + records.stream().map(Story::stored).toList();
      case Input.NodeProgress(long rv) -> "has seen all nodes up to @" + rv;
      case Input.RecordProgress(long rv) -> "has seen all records up to @" + rv;
      case Input.NodeListStarted() -> "starts a list";
      case Input.Shared(var shares) ->
          "owns " + new TreeSet<>(shares.mine().keySet()) + " of " + shares.count();
      case Input.Tick() -> "looks at the clock";
    };
  }

  static String of(Effect effect) {
    return switch (effect) {
      case Effect.CreateRecord(String node, _, var record, _) ->
          "create record of " + node + " " + version(record.current());
      case Effect.UpdateRecord(String node, _, var record, var purpose) ->
          purpose.word()
              + " record of "
              + node
              + "@"
              + record.origin().rv()
              + " "
              + version(record.current());
      case Effect.DeleteRecord(String node, var record) ->
          "delete record of " + node + "@" + record.origin().rv();
      case Effect.PatchNode p ->
          p.purpose().word() + " " + p.node() + "/" + p.uid() + "@" + p.rv() + " " + p.body();
      case Effect.ReadNode(String node) -> "read node " + node;
      case Effect.ReadRecord(String node) -> "read record of " + node;
      case Effect.Recall(var request) -> "recalls " + of(request);
      case Effect.Report(String node, var reason, String message, _) ->
          "tells " + reason.word() + " of " + node + ": " + message;
    };
  }

  private static String stored(Stored stored) {
    return stored instanceof NodeRecord record
        ? stored.node()
            + "@"
            + stored.origin().rv()
            + " "
            + (record.edited() ? "by hand " + record.content() + " over " : "")
            + version(record.current())
        : stored.node() + "@" + stored.origin().rv() + " unreadable";
  }

  private static String version(@Nullable Version v) {
    return v == null
        ? "nothing"
        : "v"
            + v.generation()
            + (v.uid().isEmpty() ? "" : " of " + v.uid())
            + " @"
            + v.rv()
            + " "
            + v.content();
  }

  private static String state(NodeState n) {
    return n.name()
        + "/"
        + n.uid()
        + "@"
        + n.rv()
        + " "
        + n.content()
        + (n.terminating() ? " terminating" : "")
        + (n.marker() == null ? "" : " " + n.marker())
        + (n.withheld() == null ? "" : " withheld " + n.withheld());
  }
}
