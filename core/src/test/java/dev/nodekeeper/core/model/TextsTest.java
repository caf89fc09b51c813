package dev.nodekeeper.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Packed texts")
final class TextsTest {
  private static final String UID = "7d6a1f0e-0000-4000-8000-0000000000ff";
  private static final String HEX = "0123456789abcdef0123456789abcdef";
  private static final String MAC = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";

  private static List<@Nullable String> odd() {
    List<@Nullable String> texts = new ArrayList<>();
    texts.add(null);
    texts.addAll(
        List.of(
            "",
            "-",
            ".",
            UID,
            UID.toUpperCase(Locale.ROOT),
            UID.replace('f', 'g'),
            UID.replace('-', '0'),
            UID.substring(1),
            UID + "\n",
            "openstack:///" + UID,
            "knöten/" + UID,
            "узел/" + UID,
            HEX,
            HEX.toUpperCase(Locale.ROOT),
            "a" + HEX,
            HEX.substring(1),
            "." + HEX,
            "3." + MAC,
            "18446744073709551616." + MAC,
            "." + MAC,
            MAC,
            "x" + MAC,
            "3." + MAC.substring(1) + "F",
            "3." + MAC.substring(1) + "=",
            "3.+" + MAC.substring(1),
            "3. " + MAC.substring(1),
            "\u00ff",
            "\u0100",
            "\ud83d\ude00",
            "half \ud83d",
            "\udc00",
            "\0",
            "x".repeat(200),
            "label:" + "ж".repeat(20_000)));
    return texts;
  }

  @Test
  @DisplayName("are read back as they were, wherever they stand")
  void lossless() {
    for (String one : odd()) {
      for (String other : odd()) {
        byte[] packed = Texts.pack(one, other, one);
        assertThat(Texts.get(packed, 0)).isEqualTo(one);
        assertThat(Texts.get(packed, 1)).isEqualTo(other);
        assertThat(Texts.get(packed, 2)).isEqualTo(one);
        assertThat(Texts.has(packed, 1)).isEqualTo(other != null);
        assertThat(Texts.has(packed, 2)).isEqualTo(one != null);
      }
    }
  }

  @Test
  @DisplayName("are equal where the texts are, and only there")
  void equality() {
    for (String one : odd()) {
      for (String other : odd()) {
        boolean same = Objects.equals(one, other);
        assertThat(new Life("u", one, null).equals(new Life("u", other, null))).isEqualTo(same);
        assertThat(new Life("u", UID, one).equals(new Life("u", UID, other))).isEqualTo(same);
        if (one != null && other != null) {
          assertThat(new Life(one, "m", null).isOf(new Life(other, null, "w"))).isEqualTo(same);
          assertThat(new Identity(one, other, "").equals(new Identity(other, one, "")))
              .isEqualTo(same);
        }
      }
    }
  }

  @Test
  @DisplayName("of every end of a mac are read back")
  void ends() {
    for (char c = 0; c < 128; c++) {
      String marker = "7." + MAC.substring(1) + c;
      assertThat(new Life(UID, marker, null).marker()).isEqualTo(marker);
      assertThat(new Life(marker, null, null).uid()).isEqualTo(marker);
    }
  }

  @Test
  @DisplayName("take little where they are what nodes have")
  void small() {
    assertThat(Texts.pack(UID)).hasSize(17);
    assertThat(Texts.pack(UID, "12." + MAC, null)).hasSize(17 + 3 + 32);
    assertThat(Texts.pack("openstack:///" + UID, UID, HEX)).hasSize(30 + 17 + 17);
  }
}
