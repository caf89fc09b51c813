package dev.nodekeeper.fuzz;

import static dev.nodekeeper.fuzz.Promise.require;

import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Any text as a record: it is read or it is unreadable, and what we write we read back. */
public final class RecordTarget {
  private static final String NONCE = "0123456789abcdefghijkl";
  private static final Origin ORIGIN = new Origin("cm", 7, "");

  /** Between record.json and state.json. */
  private static final String SEPARATOR = "\n---\n";

  private RecordTarget() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    Map<String, String> data = new TreeMap<>();
    String text = new String(bytes, StandardCharsets.UTF_8);
    int at = text.indexOf(SEPARATOR);
    data.put(RecordCodec.RECORD, at < 0 ? text : text.substring(0, at));
    if (at >= 0) {
      data.put(RecordCodec.STATE, text.substring(at + SEPARATOR.length()));
    }
    switch (RecordCodec.read("n", ORIGIN, data)) {
      case Unreadable unreadable ->
          require(
              !unreadable.detail().isBlank() && unreadable.detail().lines().count() == 1,
              "one line says why: %s",
              unreadable);
      case NodeRecord record -> readable(record);
    }
  }

  private static void readable(NodeRecord record) {
    Draft draft = new Draft(record.content(), "u", 8, record.identity(), record.withheld());
    NodeRecord next = record.next(draft, NONCE, "now", 4);
    Stored again = RecordCodec.read("n", ORIGIN, RecordCodec.write(next));
    require(again instanceof NodeRecord, "what we write is readable: %s", again);
    NodeRecord read = (NodeRecord) again;
    require(withoutNotes(read).equals(next), "read back as written:%n%s%n%s", read, next);
    require(!read.edited(), "nobody edited it: %s", read);
  }

  /** Notes are about the text that was read; what we have not read has none. */
  private static NodeRecord withoutNotes(NodeRecord r) {
    return new NodeRecord(
        r.node(),
        r.origin(),
        r.content(),
        r.current(),
        r.versions(),
        r.words(),
        r.withheld(),
        r.identity(),
        r.capturedAt(),
        List.of(),
        r.foreignRecord(),
        r.foreignState());
  }
}
