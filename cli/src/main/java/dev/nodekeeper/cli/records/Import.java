package dev.nodekeeper.cli.records;

import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Puts what a file remembers into the cluster, and never over something newer unasked. */
public final class Import {
  private final RecordStore store;
  private final Map<String, Stored> present;
  private final Replace replace;
  private final Mode mode;

  /** Which records that are there may be replaced. */
  public enum Replace {
    NONE,
    OLDER,
    ALL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether anything is written. */
  public enum Mode {
    WRITE,
    DRY_RUN
  }

  /** What became of one. */
  public enum Outcome {
    CREATED,
    REPLACED,
    UNCHANGED,
    KEPT,
    EMPTY,
    UNNAMED,
    REFUSED;

    /** There is nothing left to do about it. */
    public boolean settled() {
      return switch (this) {
        case CREATED, REPLACED, UNCHANGED, EMPTY -> true;
        case KEPT, UNNAMED, REFUSED -> false;
      };
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One line of the result. */
  public record Result(String node, Outcome outcome, int keys, String detail, List<String> left) {}

  /**
   * @param present the records that are there, by name
   */
  public Import(RecordStore store, Map<String, Stored> present, Replace replace, Mode mode) {
    this.store = store;
    this.present = present;
    this.replace = replace;
    this.mode = mode;
  }

  /** The name must be known by now. */
  public Result one(Found found) {
    try {
      return put(found, Optional.ofNullable(present.get(found.node())));
    } catch (IOException e) {
      return result(found, Outcome.REFUSED, String.valueOf(e.getMessage()));
    }
  }

  private Result put(Found found, Optional<Stored> there) throws IOException {
    if (there.isEmpty()) {
      return found.content().isEmpty()
          ? result(found, Outcome.EMPTY, "nothing in it is to be kept")
          : create(found);
    }
    if (!(there.get() instanceof NodeRecord old)) {
      return result(
          found, Outcome.KEPT, "its record cannot be read: repair or delete the ConfigMap first");
    }
    if (old.content().equals(found.content())) {
      return result(found, Outcome.UNCHANGED, "");
    }
    boolean newer = newer(found.capturedAt(), old.capturedAt());
    if (replace == Replace.NONE || (replace == Replace.OLDER && !newer)) {
      return result(
          found,
          Outcome.KEPT,
          newer
              ? "there is another record of it, which is older: --replace older"
              : "there is another record of it, not known to be older: --replace all");
    }
    if (mode == Mode.WRITE && !store.replace(old, found.record())) {
      return result(found, Outcome.KEPT, "its record was changed meanwhile: run it again");
    }
    return result(found, Outcome.REPLACED, "");
  }

  private Result create(Found found) throws IOException {
    return mode == Mode.DRY_RUN || store.create(found.record()).isPresent()
        ? result(found, Outcome.CREATED, "")
        : result(found, Outcome.KEPT, "a record of it was made meanwhile: run it again");
  }

  /** What has no time is not known to be newer than anything. */
  private static boolean newer(String time, String than) {
    try {
      return Instant.parse(time).isAfter(Instant.parse(than));
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static Result result(Found found, Outcome outcome, String detail) {
    return new Result(found.node(), outcome, found.content().size(), detail, found.remarks());
  }

  /** The second word on a node. */
  public static Result twice(Found found) {
    return result(
        found,
        Outcome.KEPT,
        found.where() + ": the files have this node twice; only the first was taken");
  }

  /** A hash that no known name has. */
  public static Result unnamed(Found found) {
    return result(
        found.named("?"),
        Outcome.UNNAMED,
        found.where() + ": no known node has this hash; give its name with --names");
  }
}
