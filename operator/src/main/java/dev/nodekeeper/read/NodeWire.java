package dev.nodekeeper.read;

import static dev.nodekeeper.read.Wire.entry;
import static dev.nodekeeper.read.Wire.message;

import com.google.protobuf.CodedInputStream;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Taint;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A Node in protobuf. */
final class NodeWire {
  /** What Go takes for no time: the first of January of the year 1. */
  private static final long NO_TIME = -62_135_596_800L;

  private final NodeDraft draft;

  NodeWire(NodeDraft draft) {
    this.draft = draft;
  }

  NodeState read(CodedInputStream node) throws IOException {
    Wire.fields(node, this::top);
    return draft.finish();
  }

  private boolean top(int number, CodedInputStream in) throws IOException {
    return switch (number) {
      case 1 -> message(in, this::metadata);
      case 2 -> message(in, this::spec);
      case 3 -> message(in, this::status);
      default -> false;
    };
  }

  private boolean metadata(int number, CodedInputStream in) throws IOException {
    switch (number) {
      case 1 -> draft.name = in.readString();
      case 5 -> draft.uid = in.readString();
      case 6 -> draft.rv = in.readString();
      case 9 -> draft.terminating = time(in) != null;
      case 11 -> entry(in, draft::label);
      case 12 -> entry(in, draft::annotation);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean spec(int number, CodedInputStream in) throws IOException {
    switch (number) {
      case 3 -> draft.providerId = in.readString();
      case 4 -> {
        if (in.readBool()) {
          draft.cordoned();
        }
      }
      case 5 -> draft.taint(taint(in));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static Taint taint(CodedInputStream in) throws IOException {
    String[] texts = {"", "", ""};
    @Nullable String[] added = {null};
    message(
        in,
        (number, value) -> {
          switch (number) {
            case 1, 2, 3 -> texts[number - 1] = value.readString();
            case 4 -> added[0] = time(value);
            default -> {
              return false;
            }
          }
          return true;
        });
    return new Taint(texts[0], texts[1], texts[2], added[0]);
  }

  private boolean status(int number, CodedInputStream in) throws IOException {
    return number == 7 && message(in, this::info);
  }

  private boolean info(int number, CodedInputStream in) throws IOException {
    switch (number) {
      case 1 -> draft.machineId = in.readString();
      case 2 -> draft.systemUuid = in.readString();
      default -> {
        return false;
      }
    }
    return true;
  }

  /** As JSON has it: to the second. */
  private static @Nullable String time(CodedInputStream in) throws IOException {
    long[] seconds = {0};
    message(
        in,
        (number, value) -> {
          if (number != 1) {
            return false;
          }
          seconds[0] = value.readInt64();
          return true;
        });
    return seconds[0] == NO_TIME ? null : Instant.ofEpochSecond(seconds[0]).toString();
  }
}
