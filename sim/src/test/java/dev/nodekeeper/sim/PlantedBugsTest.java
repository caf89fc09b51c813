package dev.nodekeeper.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.sim.ChangedCore.Change;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A search that finds nothing proves nothing, unless it would have found something. */
@NullMarked
@DisplayName("The simulator finds, within the histories of one `make test`,")
class PlantedBugsTest {
  private static final int HISTORIES = 20_000;

  /** A guard of the product, and what takes it away. */
  record Bug(String name, Change change, Family... families) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bug> bugs() {
    return Stream.of(
        new Bug(
            "a conflict counts as success (record compare-and-swap)",
            new Change(
                "keep/Replies.java",
                "        outbox.report(slot.name, Reason.RETRY, detail);\n",
                "        if (settles != null) {\n          slot.past().remove(settles);\n        }\n"),
            Family.PAIR,
            Family.ALL),
        new Bug(
            "an older view may undo a newer capture (rv guard)",
            new Change(
                "decide/Decider.java",
                "c.knownByUid() && !c.newerThanRecord()",
                "c.knownByUid() && false"),
            Family.PAIR),
        new Bug(
            "a restore without resourceVersion (precondition)",
            new Change(
                "codec/RestorePatch.java",
                "    metadata.put(\"resourceVersion\", Long.toString(node.rv()));\n",
                ""),
            Family.PAIR),
        new Bug(
            "a tested restore that tests no taints (precondition)",
            new Change(
                "codec/RestorePatch.java",
                "      op(patch, \"test\", \"/spec/taints\").set(\"value\", now);\n",
                ""),
            Family.PAIR,
            Family.ALL),
        new Bug(
            "a marker is not bound to its uid",
            new Change("codec/Marker.java", "bytes(uid + \"\\n\" + withheld)", "bytes(withheld)"),
            Family.HOSTILE),
        new Bug(
            "a marker of any version counts",
            new Change(
                "decide/Comparison.java",
                "(marked != null && marked.generation() == record.generation())",
                "marked != null"),
            Family.PAIR),
        new Bug(
            "no merge base",
            new Change("decide/Comparison.java", "known() ? null : newestVersionOfNode()", "null"),
            Family.RECORDS,
            Family.ALL),
        new Bug(
            "touched keys are not remembered",
            new Change("decide/Knowledge.java", "first.touch(changed, now.rv()),", "first,"),
            Family.PAIR),
        new Bug(
            "tombstones are dropped when the node returns",
            new Change(
                "keep/Slot.java",
                "    knowledge = known.apply(node);\n",
                "    knowledge = known.apply(node);\n    past().dropAll();\n"),
            Family.PAIR),
        new Bug(
            "late tombstones are not merged",
            new Change(
                "decide/Merge.java",
                "    SortedMap<Key, String> content = record.content().toMap();\n    Map<Key, Long> touched",
                "    if (late) {\n      return new Nothing(Why.NOTHING_TOUCHED);\n    }\n"
                    + "    SortedMap<Key, String> content = record.content().toMap();\n    Map<Key, Long> touched"),
            Family.ALL,
            Family.PAIR),
        new Bug(
            "the word of a late tombstone beats a newer one",
            new Change(
                "decide/Comparison.java",
                "record.wordOn(key) >= touchedAt(key)",
                "record.wordOn(key) < 0"),
            Family.PAIR,
            Family.RECORDS),
        new Bug(
            "a merged life is bound to its uid",
            new Change(
                "decide/Merge.java",
                "fitted.content(), \"\", late",
                "fitted.content(), node.uid(), late"),
            Family.PAIR),
        new Bug(
            "a capture erases withheld keys",
            new Change("decide/Comparison.java", "                  && !held.contains(key)\n", ""),
            Family.HOSTILE,
            Family.MIXED),
        new Bug(
            "a capture erases what it does not keep",
            new Change(
                "decide/Comparison.java",
                "                  && policy.keeps(key)\n                  && Policy.flaw",
                "                  && Policy.flaw"),
            Family.MIXED),
        new Bug(
            "hand edits are not noticed",
            new Change("model/NodeRecord.java", " || !current.content().equals(content)", ""),
            Family.RECORDS),
        new Bug(
            "forget voids no tombstones",
            new Change("keep/Past.java", "    drop(t -> t.rv() < voidBelow);\n", ""),
            Family.RECORDS),
        new Bug(
            "any cached node brings a forgotten record back",
            new Change(
                "keep/Desk.java",
                "Math.max(slot.aliveRv, horizon.nodes) >= slot.knownPast().forgottenRv",
                "slot.knownPast().forgottenRv >= 0"),
            Family.RECORDS),
        new Bug(
            "every version has the same nonce",
            new Change("keep/Desk.java", "outbox.nonce(),", "\"0123456789012345678901\","),
            Family.PLAIN),
        new Bug(
            "restored onto a dying node",
            new Change("decide/Decider.java", "    if (node.terminating()) {", "    if (false) {"),
            Family.PLAIN),
        new Bug(
            "a restore drops other people's taints",
            new Change(
                "codec/RestorePatch.java",
                "      if (change == null) {\n        merged.add(taint);\n      } else if",
                "      if (change == null) {\n        continue;\n      } else if"),
            Family.PLAIN),
        new Bug(
            "what belongs to the machine is restored",
            new Change(
                "policy/Policy.java",
                "case TAINT -> !PASSING_TAINTS.matches(key.name());",
                "case TAINT -> true;"),
            Family.RECORDS),
        new Bug(
            "an unreadable record counts as none",
            new Change(
                "decide/Decider.java",
                "case Unreadable unreadable -> new Inert(unreadable);",
                "case Unreadable _ -> create(view);"),
            Family.RECORDS),
        new Bug(
            "a record with content is cleaned up",
            new Change("keep/Retention.java", "if (!record.spent()) {", "if (record.edited()) {"),
            Family.PLAIN),
        new Bug(
            "who does not own a node forgets its last state",
            new Change(
                "keep/Desk.java",
                "          if (!settling.awaitsOwner(slot, pending) && mayAsk(slot)) {\n",
                "          slot.past().remove(pending);\n          if (false) {\n"),
            Family.SHARES),
        new Bug(
            "nobody writes what the owner does not know",
            new Change(
                "keep/Settling.java",
                "    return awaits(slot, tombstone.since() + OWNER_MILLIS);\n",
                "    return true;\n"),
            Family.SHARES),
        new Bug(
            "what was lost is still written",
            new Change(
                "keep/Duty.java",
                "    ready.removeIf(shard -> !Objects.equals(next.mine().get(shard), shares.mine().get(shard)));\n",
                ""),
            Family.SHARES),
        new Bug(
            "a process that only restores cleans up",
            new Change(
                "keep/Desk.java",
                "why != Why.TERMINATING && duty.role.captures()",
                "why != Why.TERMINATING"),
            Family.ROLES),
        new Bug(
            "a process that only captures leaves tombstones to others",
            new Change(
                "keep/Desk.java",
                "          if (duty.role.captures()) {\n            write(slot, write, write.cause()",
                "          if (duty.role == Role.ALL) {\n            write(slot, write, write.cause()"),
            Family.ROLES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bugs")
  @DisplayName("the planted bug:")
  void found(Bug bug) throws IOException {
    ChangedCore core = ChangedCore.with(bug.name(), List.of(bug.change()));
    String[] families = Stream.of(bug.families()).map(Family::name).toArray(String[]::new);
    String found = (String) core.call(Hunter.class, "hunt", families, HISTORIES);
    System.out.printf("%-66s %s%n", bug.name(), found.isEmpty() ? "NOT FOUND" : found);
    assertThat(found).as(bug.name()).isNotEmpty();
  }
}
