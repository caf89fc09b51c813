package dev.nodekeeper.it.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Outcome;
import dev.nodekeeper.testbed.binaries.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Our overlays and our chart, as the objects that they stand for. */
final class Rendering {
  static final Path CHART = Path.of("..", "deploy", "helm", "nodekeeper");
  private static final Path KUSTOMIZE = Path.of("..", "deploy", "kustomize");
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Binaries BINARIES = Binaries.fromEnvironment(System.err::println);

  private Rendering() {}

  /** Applied before any overlay. */
  static JsonNode namespace() {
    try {
      return YAML.readTree(KUSTOMIZE.resolve("namespace.yaml").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<JsonNode> overlay(String name) {
    return objects(
        BINARIES.run(Tool.KUBECTL, List.of("kustomize", KUSTOMIZE.resolve("overlays/" + name))));
  }

  /** An overlay with components, as a person's own kustomization has them. */
  static List<JsonNode> overlay(String name, List<String> components) {
    try {
      // Kustomize takes relative paths only.
      Path own = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "own-");
      String up = "../../" + KUSTOMIZE;
      Files.writeString(
          own.resolve("kustomization.yaml"),
          "resources: [%s/overlays/%s]\ncomponents: [%s]\n"
              .formatted(
                  up,
                  name,
                  components.stream()
                      .map(component -> up + "/components/" + component)
                      .collect(Collectors.joining(", "))));
      return objects(BINARIES.run(Tool.KUBECTL, List.of("kustomize", own)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The chart in namespace nodekeeper.
   *
   * @param values a file of the chart's own {@code ci} folder, or none for the defaults
   */
  static List<JsonNode> chart(String values) {
    List<Object> arguments =
        new ArrayList<>(List.of("template", "nodekeeper", CHART, "--namespace=nodekeeper"));
    // Without a server helm believes in one that is years old.
    arguments.add("--kube-version=" + Tool.KUBE_APISERVER.version());
    arguments.addAll(valuesFlag(values));
    return objects(BINARIES.run(Tool.HELM, arguments));
  }

  static Outcome lint(String values) {
    List<Object> arguments = new ArrayList<>(List.of("lint", "--strict", CHART));
    arguments.addAll(valuesFlag(values));
    return BINARIES.run(Tool.HELM, arguments);
  }

  static Outcome helm(Object... arguments) {
    return BINARIES.run(Tool.HELM, List.of(arguments));
  }

  private static List<String> valuesFlag(String values) {
    return values.isEmpty() ? List.of() : List.of("--values=" + CHART.resolve("ci/" + values));
  }

  private static List<JsonNode> objects(Outcome ran) {
    if (ran.code() != 0) {
      throw new IllegalStateException(ran.output());
    }
    try (var values = YAML.readerFor(JsonNode.class).<JsonNode>readValues(ran.output())) {
      return values.readAll().stream().filter(JsonNode::isObject).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
