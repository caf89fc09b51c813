package dev.nodekeeper.core.policy;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What to keep, and who wins.
 *
 * @param labelPrefixes limits labels, and only labels; empty keeps all
 */
public record Policy(
    Set<Kind> keep, List<String> labelPrefixes, OnConflict onConflict, IdentityBy identity) {

  public static final Policy DEFAULT =
      new Policy(EnumSet.of(Kind.LABEL, Kind.TAINT), List.of(), OnConflict.NODE, IdentityBy.NAME);

  private static final KeyPatterns FACTS = KeyPatterns.resource("facts.txt");
  private static final KeyPatterns PASSING_TAINTS = KeyPatterns.resource("passing-taints.txt");
  private static final KeyPatterns MACHINE_ANNOTATIONS =
      KeyPatterns.resource("machine-annotations.txt");

  /** Who wins where a returning node already has a label or an annotation with another value. */
  public enum OnConflict {
    NODE,
    RECORD
  }

  /** What makes a returning node the same machine. */
  public enum IdentityBy {
    NAME(id -> ""),
    PROVIDER(Identity::providerId),
    MACHINE(id -> id.systemUuid().isEmpty() ? id.machineId() : id.systemUuid());

    private final Function<Identity, String> trait;

    IdentityBy(Function<Identity, String> trait) {
      this.trait = trait;
    }

    /** What is compared; empty where a machine does not say. */
    public String of(Identity identity) {
      return trait.apply(identity);
    }

    /**
     * A record that knows no machine trusts any; a node that does not say who it is, is in doubt.
     */
    public boolean doubts(Identity record, Identity node) {
      return !of(record).isEmpty() && !of(record).equals(of(node));
    }
  }

  /** Whether a key is ours to remember, restore and remove. */
  public boolean keeps(Key key) {
    if (!keep.contains(key.kind())) {
      return false;
    }
    return switch (key.kind()) {
      case LABEL -> prefixed(key.name()) && !FACTS.matches(key.name());
      case TAINT -> !PASSING_TAINTS.matches(key.name());
      case ANNOTATION -> !MACHINE_ANNOTATIONS.matches(key.name());
      case CORDON -> true;
    };
  }

  public Content keeps(Content content) {
    return content.filter(this::keeps);
  }

  private boolean prefixed(String label) {
    return labelPrefixes.isEmpty() || labelPrefixes.stream().anyMatch(label::startsWith);
  }

  /** Null when the API would accept it on a node, else the reason. */
  public static @Nullable String flaw(Key key, String value) {
    return switch (key.kind()) {
      case LABEL -> first(Rules.labelKey(key.name()), Rules.labelValue(value));
      case TAINT ->
          first(
              Rules.taintKey(key.name()),
              first(Rules.taintValue(value), Rules.taintEffect(key.effect())));
      case ANNOTATION ->
          first(
              Rules.annotationKey(key.name()),
              Rules.annotationBytes(Map.of(key.name(), value)) > Rules.ANNOTATIONS_MAX_BYTES
                  ? "longer than 256 KiB"
                  : null);
      case CORDON -> value.equals("true") ? null : "cordon can only be true";
    };
  }

  private static @Nullable String first(@Nullable String a, @Nullable String b) {
    return a != null ? a : b;
  }
}
