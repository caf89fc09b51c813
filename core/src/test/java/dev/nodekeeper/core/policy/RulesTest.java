package dev.nodekeeper.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The rules of the API server")
class RulesTest {

  private static final String NAME_63 = "n".repeat(63);
  private static final String NAME_64 = "n".repeat(64);
  private static final String DOMAIN_253 = "d".repeat(253);
  private static final String DOMAIN_254 = "d".repeat(254);

  static Stream<String> goodKeys() {
    return Stream.of(
        "a",
        "9",
        "A",
        "Team",
        "a-b_c.d",
        "a--b..c__d",
        "1.2",
        NAME_63,
        "example.com/a",
        "example.com/A-b",
        "e/" + NAME_63,
        DOMAIN_253 + "/" + NAME_63,
        "a-b.c-d.e/x",
        "0.0/0",
        "node-role.kubernetes.io/worker");
  }

  static Stream<String> badKeys() {
    return Stream.of(
        "",
        "/",
        "/a",
        "a/",
        "a/b/c",
        "a//b",
        "//",
        NAME_64,
        "e/" + NAME_64,
        DOMAIN_254 + "/a",
        "-a",
        "a-",
        ".a",
        "a.",
        "_a",
        "a_",
        ".",
        "a b",
        " a",
        "a ",
        "a\n",
        "a\u0000",
        "a=b",
        "a,b",
        "a:b",
        "a*",
        "é",
        "日本",
        "😀",
        "ａ",
        "٣",
        "e.com/é",
        ".e.com/a",
        "e.com./a",
        "e..com/a",
        "-e.com/a",
        "e-.com/a",
        "e.-com/a",
        "e.com-/a",
        "e_f.com/a",
        "é.com/a",
        "e.com\n/a",
        "e.com/a\n");
  }

  @ParameterizedTest
  @DisplayName("accept a label, taint or annotation key: 63 bytes after a lower case domain of 253")
  @MethodSource("goodKeys")
  void goodKey(String key) {
    assertThat(Rules.labelKey(key)).isNull();
    assertThat(Rules.taintKey(key)).isNull();
    assertThat(Rules.annotationKey(key)).isNull();
  }

  @ParameterizedTest
  @DisplayName("refuse a key with a wrong length, character or shape")
  @MethodSource("badKeys")
  void badKey(String key) {
    assertThat(Rules.labelKey(key)).isNotNull();
    assertThat(Rules.taintKey(key)).isNotNull();
    assertThat(Rules.annotationKey(key)).isNotNull();
  }

  @ParameterizedTest
  @DisplayName("ignore case in an annotation key, and only there")
  // U+212A (Kelvin) and U+0130 (dotted I) become k and i when Go lowers them.
  @ValueSource(strings = {"Example.com/a", "EXAMPLE.COM/A", "\u212A.io/a", "k\u0130.io/\u0130"})
  void annotationCase(String key) {
    assertThat(Rules.annotationKey(key)).isNull();
    assertThat(Rules.labelKey(key)).isNotNull();
    assertThat(Rules.taintKey(key)).isNotNull();
  }

  @Test
  @DisplayName("measure an annotation key after it was lowered")
  void annotationLength() {
    assertThat(Rules.annotationKey("\u212A".repeat(63))).isNull();
    assertThat(Rules.annotationKey("\u212A".repeat(64))).contains("63 bytes");
  }

  static Stream<String> goodValues() {
    return Stream.of("", "a", "0", "true", "A.b_c-D", "a--b", NAME_63);
  }

  static Stream<String> badValues() {
    return Stream.of(NAME_64, " ", "a b", "-a", "a-", ".", "a/b", "a,b", "é", "a\n", "\n", "\"\"");
  }

  @ParameterizedTest
  @DisplayName("accept a label or taint value that is empty or a name of 63 bytes")
  @MethodSource("goodValues")
  void goodValue(String value) {
    assertThat(Rules.labelValue(value)).isNull();
    assertThat(Rules.taintValue(value)).isNull();
  }

  @ParameterizedTest
  @DisplayName("refuse any other label or taint value")
  @MethodSource("badValues")
  void badValue(String value) {
    assertThat(Rules.labelValue(value)).isNotNull();
    assertThat(Rules.taintValue(value)).isNotNull();
  }

  static Stream<String> goodNodeNames() {
    return Stream.of(
        "a", "0", "n-1", "ip-10-0-0-1.eu-west-1.compute.internal", NAME_64, DOMAIN_253);
  }

  static Stream<String> badNodeNames() {
    return Stream.of(
        "",
        DOMAIN_254,
        "N",
        "a_b",
        "a/b",
        "-a",
        "a-",
        ".a",
        "a.",
        "a..b",
        "a.-b",
        "a-.b",
        "é",
        "a\n");
  }

  @ParameterizedTest
  @DisplayName("accept a node name that is a lower case domain of 253 bytes, long parts included")
  @MethodSource("goodNodeNames")
  void goodNodeName(String name) {
    assertThat(Rules.nodeName(name)).isNull();
  }

  @ParameterizedTest
  @DisplayName("refuse any other node name")
  @MethodSource("badNodeNames")
  void badNodeName(String name) {
    assertThat(Rules.nodeName(name)).isNotNull();
  }

  @ParameterizedTest
  @DisplayName("know three taint effects")
  @ValueSource(strings = {"NoSchedule", "PreferNoSchedule", "NoExecute"})
  void goodEffect(String effect) {
    assertThat(Rules.taintEffect(effect)).isNull();
  }

  @ParameterizedTest
  @DisplayName("know no other taint effect, however close")
  @ValueSource(strings = {"", "noschedule", "NoSchedule ", "NoAdmit", "NoScheduleNoAdmit"})
  void badEffect(String effect) {
    assertThat(Rules.taintEffect(effect)).contains("NoSchedule, PreferNoSchedule or NoExecute");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @DisplayName("are explained in words")
  @CsvSource({
    "'', key must not be empty",
    "a/b/c, key must have at most one '/'",
    "/a, prefix of the key must not be empty",
    "a/, name part of the key must not be empty",
    "Example.com/a, 'prefix of the key may only have lower case letters, digits, ''-'' and ''.'''",
    "a b, 'key may only have letters, digits, ''-'', ''_'' and ''.'''",
    "a., key must start and end with a letter or digit",
  })
  void reasons(String key, String reason) {
    assertThat(Rules.labelKey(key)).isEqualTo(reason);
  }

  @Test
  @DisplayName("count bytes, not characters")
  void bytes() {
    assertThat(Rules.labelValue("é".repeat(32))).contains("63 bytes");
    assertThat(Rules.labelValue("é".repeat(31))).contains("letters, digits");
    assertThat(Rules.annotationBytes(Map.of())).isZero();
    assertThat(Rules.annotationBytes(Map.of("k", "aé日😀"))).isEqualTo(1 + 1 + 2 + 3 + 4);
    assertThat(Rules.annotationBytes(Map.of("k", "\uD83D", "kk", "\uDE00x")))
        .isEqualTo(1 + 3 + 2 + 4);
    assertThat(Rules.ANNOTATIONS_MAX_BYTES).isEqualTo(262_144);
  }

  @Test
  @DisplayName("answer on input of any size")
  void large() {
    String dots = ".".repeat(1_000_000);
    assertThat(Rules.labelKey(dots + "/" + dots)).isNotNull();
    assertThat(Rules.labelValue(dots)).isNotNull();
    assertThat(Rules.nodeName("a-".repeat(1_000_000))).isNotNull();
  }

  @ParameterizedTest
  @DisplayName("reserve labels that a kubelet must not give itself")
  @ValueSource(
      strings = {
        "node-role.kubernetes.io/worker",
        "node-role.kubernetes.io/",
        "node-restriction.kubernetes.io/x",
        "team.node-restriction.kubernetes.io/x",
        "kubernetes.io/role",
        "k8s.io/x",
        "kops.k8s.io/instancegroup",
        "topology.kubernetes.io/rack",
        "beta.kubernetes.io/fluentd-ds-ready",
        "xnode.kubernetes.io/x",
        "feature-node.kubernetes.io/x",
      })
  void reserved(String key) {
    assertThat(Rules.reserved(key)).isTrue();
  }

  @ParameterizedTest
  @DisplayName("leave a kubelet its own labels and everybody's")
  @ValueSource(
      strings = {
        "kubernetes.io/hostname",
        "kubernetes.io/os",
        "kubernetes.io/arch",
        "beta.kubernetes.io/os",
        "beta.kubernetes.io/instance-type",
        "failure-domain.beta.kubernetes.io/zone",
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
        "node.kubernetes.io/anything",
        "feature.node.kubernetes.io/x",
        "kubelet.kubernetes.io/x",
        "my.kubelet.kubernetes.io/x",
        "example.com/x",
        "mykubernetes.io/x",
        "mynode-restriction.kubernetes.io.example.com/x",
        "node-role.kubernetes.io",
        "team",
        "",
      })
  void notReserved(String key) {
    assertThat(Rules.reserved(key)).isFalse();
  }
}
