package dev.nodekeeper.echo;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Echos and texts for tests. */
final class Samples {
  private Samples() {}

  static Echo echo(String name, String text, @Nullable Integer replicas) {
    var echo = new Echo();
    echo.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace("default")
            .withUid("uid-" + name)
            .withGeneration(1L)
            .build());
    echo.setSpec(new EchoSpec(replicas, text, null, EchoSpec.ServiceType.NodePort));
    return echo;
  }

  static Container container(Echo echo) {
    return Children.deployment(echo).getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  /** What people write, and what breaks programs that join strings. */
  static List<String> texts() {
    return List.of(
        "Hello world",
        "it's \"quoted\" `here`",
        "two\nlines\r\n\nand a last one\n",
        "\t tab and spaces ",
        "$HOME $(HOME) $$(HOME) $$ $ $( $) ${HOME} $$$(X)$$$$",
        "-text=other --listen=:1",
        "--",
        "-h",
        "Grüße, 世界 🌍 \u202e עברית",
        "{{ .Template }} %s %d \\n \\",
        "; rm -rf / | cat && exit #",
        "=",
        "x".repeat(4096));
  }
}
