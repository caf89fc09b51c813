package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.policy.Rules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What fits into a record. The same content always gives the same result, so that an oversized node
 * compares equal to its trimmed record instead of being written on every heartbeat.
 */
final class Size {
  /** The content is stored twice (for people, and as the merge base), within 1 MiB. */
  private static final int MAX_JSON_BYTES = 480_000;

  private static final int ENTRY_OVERHEAD = 64;

  private Size() {}

  record Fitted(Content content, Set<Key> dropped) {}

  static Fitted fit(Content content) {
    long total = 0;
    for (Key key : content.keys()) {
      total += size(key, Objects.requireNonNull(content.get(key)));
    }
    if (total <= MAX_JSON_BYTES) {
      return new Fitted(content, Set.of());
    }
    SortedMap<Key, String> map = content.toMap();
    List<Map.Entry<Key, String>> largestFirst = new ArrayList<>(map.entrySet());
    largestFirst.removeIf(entry -> !expendable(entry.getKey()));
    largestFirst.sort(
        Comparator.<Map.Entry<Key, String>>comparingLong(Size::size)
            .reversed()
            .thenComparing(Map.Entry::getKey));
    Set<Key> dropped = new TreeSet<>();
    for (Map.Entry<Key, String> entry : largestFirst) {
      if (total <= MAX_JSON_BYTES) {
        break;
      }
      total -= size(entry);
      dropped.add(entry.getKey());
    }
    map.keySet().removeAll(dropped);
    return new Fitted(Content.of(map), dropped);
  }

  /** Never a taint or a reserved label: a kubelet could not set those itself. */
  private static boolean expendable(Key key) {
    return key.kind() == Kind.ANNOTATION
        || (key.kind() == Kind.LABEL && !Rules.reserved(key.name()));
  }

  private static long size(Map.Entry<Key, String> entry) {
    return size(entry.getKey(), entry.getValue());
  }

  private static long size(Key key, String value) {
    return ENTRY_OVERHEAD + jsonBytes(key.name()) + jsonBytes(value);
  }

  /** As JSON inside a JSON string costs: a control character grows to six bytes. */
  private static long jsonBytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x20 ? 6 : c == '"' || c == '\\' ? 2 : c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    return bytes;
  }
}
