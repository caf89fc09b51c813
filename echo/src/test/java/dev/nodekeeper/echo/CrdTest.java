package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("deploy/base/crd.yaml is what the Java types say; -Ddocs.update=true writes it")
final class CrdTest {
  static final Path FILE = Path.of("deploy/base/crd.yaml");
  private static final List<String> COLUMNS =
      List.of("Replicas", "Ready", "NodePort", "Text", "Age");

  @TempDir Path folder;

  @Test
  void upToDate() throws IOException {
    var text = "# Generated from Echo.java by CrdTest; do not edit.\n" + generated();
    if (Boolean.getBoolean("docs.update")) {
      Files.writeString(FILE, text);
    }
    assertThat(FILE).hasContent(text);
  }

  private String generated() throws IOException {
    new CRDGenerator()
        .customResourceClasses(Echo.class)
        .forCRDVersions("v1")
        .inOutputDir(folder.toFile())
        .generate();
    var file = folder.resolve("echoes.test.com-v1.yml");
    var crd = Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    var version = crd.getSpec().getVersions().getFirst();
    // The generator sorts columns by path, and has no word for a list that is a map.
    version.getAdditionalPrinterColumns().sort(Comparator.comparingInt(CrdTest::place));
    var spec = property(version.getSchema().getOpenAPIV3Schema(), "spec");
    // It also finds the annotations of a record's component twice: on the field and on the
    // accessor.
    spec.getProperties()
        .values()
        .forEach(
            field ->
                field.setXKubernetesValidations(
                    field.getXKubernetesValidations().stream().distinct().toList()));
    var status = property(version.getSchema().getOpenAPIV3Schema(), "status");
    var conditions = property(status, "conditions");
    conditions.setXKubernetesListType("map");
    conditions.setXKubernetesListMapKeys(List.of("type"));
    return Serialization.asYaml(crd);
  }

  private static JSONSchemaProps property(JSONSchemaProps schema, String name) {
    return Objects.requireNonNull(schema.getProperties().get(name));
  }

  private static int place(CustomResourceColumnDefinition column) {
    return COLUMNS.indexOf(column.getName());
  }
}
