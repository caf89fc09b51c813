package dev.nodekeeper.core.codec;

import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Version;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The marker")
class MarkerTest {
  private static final NodeRecord RECORD =
      record()
          .gen(3)
          .label("team", "a")
          .older(2, "u0", 3, things())
          .older(1, "u0", 2, things())
          .build();

  @Test
  @DisplayName("is valid for the incarnation, the version and the withheld list it was made for")
  void valid() {
    assertThat(Marker.check(RECORD, "u2", Given.marker(3, "u2"), null)).isEqualTo(RECORD.current());
    assertThat(Marker.check(RECORD, "u2", Given.marker(2, "u2"), ""))
        .isEqualTo(RECORD.versions().getFirst());
    Key held = Key.label("x");
    assertThat(Marker.check(RECORD, "u2", Given.marker(3, "u2", held), Marker.list(List.of(held))))
        .isEqualTo(RECORD.current());
  }

  @Test
  @DisplayName("is another one where it is there already, and that is valid too, and as bound")
  void again() {
    Version version = RECORD.versions().getFirst();
    String first = Given.marker(2, "u2");
    String second = Marker.after(first, version, "u2", "");
    assertThat(Marker.after(null, version, "u2", "")).isEqualTo(first);
    assertThat(second).isNotEqualTo(first).startsWith("2.");
    assertThat(Marker.after(second, version, "u2", "")).isEqualTo(first);
    assertThat(Marker.check(RECORD, "u2", second, null)).isEqualTo(version);
    assertThat(Marker.check(RECORD, "u3", second, null)).isNull();
    assertThat(Marker.check(RECORD, "u2", second, "label:x")).isNull();
    assertThat(Marker.check(RECORD, "u2", "3" + second.substring(1), null)).isNull();
  }

  @Test
  @DisplayName("is worthless under another uid, version, list, or secret")
  void bound() {
    String true3 = Given.marker(3, "u2");
    assertThat(Marker.check(RECORD, "u3", true3, null)).isNull();
    assertThat(Marker.check(RECORD, "u2", true3, "label:team")).isNull();
    assertThat(Marker.check(RECORD, "u2", "2" + true3.substring(1), null)).isNull();
    assertThat(Marker.check(RECORD, "u2", Given.marker(9, "u2"), null)).isNull();
    assertThat(Marker.check(RECORD, "u2", true3 + "A", null)).isNull();
    assertThat(Marker.check(RECORD, "u2", "0" + true3, null)).isNull();
    NodeRecord rewritten = record().gen(3).nonce("another-nonce-of-128-bits").build();
    assertThat(Marker.check(rewritten, "u2", true3, null)).isNull();
  }

  @Test
  @DisplayName(
      "with the list taken away is worthless too: withholding cannot be undone by a kubelet")
  void listRemoved() {
    assertThat(Marker.check(RECORD, "u2", Given.marker(3, "u2", Key.label("x")), null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "123456789012345678901"})
  @DisplayName("is never valid for a record without a nonce of 128 bits")
  void noNonce(String nonce) {
    NodeRecord weak = record().gen(3).nonce(nonce).build();
    Version version = new Version(3, nonce, "", 0, weak.content());
    assertThat(Marker.check(weak, "u2", Marker.of(version, "u2", ""), null)).isNull();
    assertThat(Marker.check(record().preSeeded().build(), "u2", Given.marker(3, "u2"), null))
        .isNull();
  }

  @Test
  @DisplayName("cannot be guessed: 10,000 forgeries, none accepted")
  void forgeries() {
    SplittableRandom random = new SplittableRandom(17);
    String real = Given.marker(3, "u2");
    for (int i = 0; i < 10_000; i++) {
      byte[] mac = new byte[32];
      random.nextBytes(mac);
      String guess =
          switch (i % 4) {
            case 0 ->
                (1 + random.nextInt(3))
                    + "."
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
            case 1 -> flip(real, 2 + random.nextInt(real.length() - 2), random);
            case 2 -> real.substring(0, random.nextInt(real.length()));
            default -> Given.marker(3, "u" + (100 + i));
          };
      assertThat(guess.equals(real) ? null : Marker.check(RECORD, "u2", guess, null))
          .as(guess)
          .isNull();
    }
  }

  private static String flip(String text, int at, SplittableRandom random) {
    char other = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".charAt(random.nextInt(26));
    return text.substring(0, at) + other + text.substring(at + 1);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        ".",
        "3",
        ".mac",
        "-3.mac",
        "x.mac",
        "1e3.mac",
        "9999999999999999999.mac",
        "٣.mac"
      })
  @DisplayName("that is nonsense names no generation")
  void nonsense(String marker) {
    assertThat(Marker.generation(marker)).isEqualTo(-1);
    assertThat(Marker.check(RECORD, "u2", marker, null)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0.x,0", "7.x,7", "999999999999999999.x,999999999999999999"})
  @DisplayName("names its generation, proven or not")
  void generation(String marker, long generation) {
    assertThat(Marker.generation(marker)).isEqualTo(generation);
  }

  @Test
  @DisplayName("carries any list of keys there and back")
  void lists() {
    Set<Key> keys =
        Set.of(
            Key.label("a/b"),
            Key.label("odd,key"),
            Key.label("100%"),
            Key.label("%2C"),
            Key.annotation("x:y"),
            Key.taint("k:x", "NoExecute"),
            Key.taint("", ""),
            Key.CORDON);
    assertThat(Marker.keys(Marker.list(keys), List.of())).isEqualTo(keys);
    assertThat(Marker.list(List.of())).isEmpty();
    assertThat(Marker.keys(null, keys)).isEmpty();
  }

  @Test
  @DisplayName("says 'everything' where the list would be too long, and means the record's keys")
  void longList() {
    List<Key> many = new java.util.ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(Key.label("some.rather.long.prefix.example/key-" + i));
    }
    String list = Marker.list(many);
    assertThat(list).hasSizeLessThan(20);
    assertThat(Marker.keys(list, List.of(Key.label("a")))).isEqualTo(Set.of(Key.label("a")));
  }
}
