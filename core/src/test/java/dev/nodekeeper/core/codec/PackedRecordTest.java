package dev.nodekeeper.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.model.Words;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A record at rest")
class PackedRecordTest {
  private static final int TRIES = 5_000;
  private static final String[] ODD = {
    "",
    "a",
    "ü€😀",
    "half \ud800 a pair",
    "\0",
    "0".repeat(36),
    "-".repeat(22),
    "-".repeat(43),
    "A".repeat(43),
    "x".repeat(300),
    "A0000000-0000-4000-8000-000000000000",
    "0000000-00000-4000-8000-000000000000",
    "2026-11-16T10:57:04Z",
    "2026-11-16T10:57:04.120Z",
    "2026-11-16T10:57:04.123456Z",
    "2026-11-16T10:57:04+01:00",
    "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999Z",
    "2026-11-16Tis not a time",
    "2026-11-16T10:57:04.000Z",
    "2026-02-30T10:57:04.120Z",
    "2026-11-16T24:00:00.120Z",
    "2026-11-16T23:59:60.120Z",
    "2026-11-16T10:57:04.12\u0660Z",
    "2026-11-16T10:57:+4.120Z",
    "0000-01-01T00:00:00.001Z",
    "9999-12-31T23:59:59.999Z"
  };

  private final Random random = new Random(20_26);

  @Test
  @DisplayName("is what it was when it is opened, whatever is in it")
  void opened() {
    for (int i = 0; i < TRIES; i++) {
      NodeRecord record = record();
      NodeState node = Given.node(record.uid()).label("a", "b").state();
      PackedRecord packed = PackedRecord.of(record);

      assertThat(packed.open(record.node())).isEqualTo(record);
      assertThat(packed.like(node).open(record.node())).isEqualTo(record);
      assertThat(packed.rv()).isEqualTo(record.origin().rv());
      assertThat(packed.size()).isEqualTo(record.origin().size());
    }
  }

  @Test
  @DisplayName("shares its content with a node that has the same")
  void shared() {
    NodeRecord record = Given.record().uid("u").label("a", "b").build();
    NodeState node = Given.node("u").label("a", "b").state();

    NodeRecord opened = PackedRecord.of(record).like(node).open(record.node());

    assertThat(opened).isEqualTo(record);
    assertThat(opened.content()).isSameAs(node.content());
  }

  @Test
  @DisplayName("takes 16 bytes for a uid or a nonce, none for what it says already")
  void small() {
    String uid = new UUID(random.nextLong(), random.nextLong()).toString();
    NodeRecord record = Given.record().uid("u").label("a", "b").build();
    int plain = PackedRecord.of(record).bytes();
    String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[16]);
    Version older = new Version(1, nonce, uid, 9, record.content());
    Version same = new Version(1, nonce, record.uid(), 9, record.content());

    String ours = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32]);
    Version withOurs = new Version(1, ours, uid, 9, record.content());

    assertThat(PackedRecord.of(record.withVersions(List.of(withOurs))).bytes() - plain)
        .as("a nonce as we make them")
        .isEqualTo(33 + 17 + 3);
    assertThat(PackedRecord.of(record.withVersions(List.of(older))).bytes() - plain)
        .as("form and bits of nonce and uid, generation, revision, no changes")
        .isEqualTo(17 + 17 + 3);
    assertThat(PackedRecord.of(record.withVersions(List.of(same))).bytes() - plain)
        .as("the same uid once more takes a byte")
        .isEqualTo(17 + 1 + 3);
  }

  @Test
  @DisplayName("takes a byte for a key that is in its content")
  void keys() {
    NodeRecord record =
        Given.record().uid("u").label("a-long-key", "b").label("another-long-key", "c").build();
    Version older = new Version(1, "", "", 9, Content.EMPTY);

    assertThat(
            PackedRecord.of(record.withVersions(List.of(older))).bytes()
                - PackedRecord.of(record).bytes())
        .as("generation, nonce, uid, revision, number of changes; place, absent, no value of each")
        .isEqualTo(5 + 2 * 3);
  }

  @Test
  @DisplayName("is the same in a list, and so is what is no record")
  void listed() {
    List<Stored> plain = new ArrayList<>();
    PackedRecords packed = new PackedRecords();
    for (int i = 0; i < 100; i++) {
      plain.add(record());
      plain.add(new Unreadable("n" + i, Origin.NONE, Defect.BROKEN, "bad"));
    }
    packed.addAll(plain);

    assertThat(packed).isEqualTo(plain);
    assertThat(packed.map((name, record) -> record)).isEqualTo(plain);

    PackedRecords twice = PackedRecords.of(plain);
    twice.addAll(packed);
    assertThat(twice.subList(plain.size(), 2 * plain.size())).isEqualTo(plain);

    List<Stored> each = new ArrayList<>();
    List<Stored> opened = new ArrayList<>();
    packed.each(
        (name, record) -> each.add(record.open(name)),
        stored -> {
          each.add(stored);
          opened.add(stored);
        });
    assertThat(each).isEqualTo(plain);
    assertThat(opened)
        .isEqualTo(
            plain.stream()
                .filter(s -> !(s instanceof NodeRecord record) || record.rv() > s.origin().rv())
                .toList());
  }

  @Test
  @DisplayName("is equal to another exactly when the records are")
  void equal() {
    for (int i = 0; i < 100; i++) {
      NodeRecord record = record();
      PackedRecord packed = PackedRecord.of(record);
      NodeRecord read = packed.open("n");
      Origin origin = record.origin();

      assertThat(PackedRecord.of(read)).isEqualTo(packed).hasSameHashCodeAs(packed);
      assertThat(PackedRecord.of(record())).isNotEqualTo(packed);
      assertThat(PackedRecord.of(record.storedAs(origin.away(origin.awaySince() + 1))))
          .isNotEqualTo(packed);
    }
  }

  private NodeRecord record() {
    Content content = content();
    return new NodeRecord(
        "n",
        new Origin(text(), number(), text(), random.nextInt(9), number(), random.nextBoolean()),
        content,
        random.nextInt(5) == 0 ? null : version(content),
        several(() -> version(content)),
        new Words(number(), number(), words()),
        new HashSet<>(several(this::key)),
        new Identity(text(), text(), text()),
        text(),
        several(this::text),
        texts(),
        texts());
  }

  private Version version(Content present) {
    TreeMap<Key, String> content = new TreeMap<>(present.toMap());
    content.keySet().removeIf(key -> random.nextInt(4) == 0);
    several(this::key).forEach(key -> content.put(key, text()));
    return new Version(number(), text(), text(), number(), Content.of(content));
  }

  private Content content() {
    TreeMap<Key, String> content = new TreeMap<>();
    several(this::key).forEach(key -> content.put(key, text()));
    return Content.of(content);
  }

  private Key key() {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    return new Key(kind, text(), kind == Kind.TAINT ? text() : "");
  }

  private Map<Key, Long> words() {
    Map<Key, Long> words = new HashMap<>();
    several(this::key).forEach(key -> words.put(key, number()));
    return words;
  }

  private Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    several(this::text).forEach(key -> texts.put(key, text()));
    return texts;
  }

  private long number() {
    return random.nextInt(8) == 0 ? random.nextLong() : random.nextInt(100_000);
  }

  private String text() {
    byte[] nonce = new byte[16];
    random.nextBytes(nonce);
    return switch (random.nextInt(4)) {
      case 0 -> ODD[random.nextInt(ODD.length)];
      case 1 -> new UUID(random.nextLong(), random.nextLong()).toString();
      case 2 -> Base64.getUrlEncoder().withoutPadding().encodeToString(nonce);
      default -> "text-" + random.nextInt(20);
    };
  }

  private <T> List<T> several(java.util.function.Supplier<T> one) {
    List<T> all = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      all.add(one.get());
    }
    return all;
  }
}
