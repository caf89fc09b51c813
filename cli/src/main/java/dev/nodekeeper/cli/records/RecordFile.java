package dev.nodekeeper.cli.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.cli.ProblemException;
import dev.nodekeeper.cli.Yaml;
import dev.nodekeeper.cli.records.Format.UnusableException;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Rules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What is in a file: YAML or JSON, one object, several or a List, as {@code kubectl get} and our
 * export write them.
 *
 * @param found what can be used
 * @param unusable what cannot, with the reason
 */
public record RecordFile(List<Found> found, List<String> unusable) {

  /**
   * @param file "-" for what comes in
   * @param as what every ConfigMap in it is; empty to find out
   */
  public static RecordFile read(String file, InputStream in, Optional<Format> as, Policy policy) {
    List<JsonNode> documents;
    try {
      String text =
          file.equals("-")
              ? new String(in.readAllBytes(), StandardCharsets.UTF_8)
              : Files.readString(Path.of(file));
      documents = Yaml.read(text);
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
      throw ProblemException.failed("cannot read %s as YAML or JSON: %s".formatted(file, why));
    }
    RecordFile result = new RecordFile(new ArrayList<>(), new ArrayList<>());
    documents.forEach(document -> result.add(document, as, policy));
    if (result.found.isEmpty() && result.unusable.isEmpty()) {
      throw ProblemException.failed(
          "there is no object in %s; it should be what `export` or `kubectl get -o yaml` writes"
              .formatted(file));
    }
    return result;
  }

  private void add(JsonNode document, Optional<Format> as, Policy policy) {
    if (document.path("items").isArray()) {
      document.path("items").forEach(item -> add(item, as, policy));
      return;
    }
    if (document.isNull() || document.isMissingNode()) {
      return;
    }
    Optional<Format> format =
        as.or(() -> Arrays.stream(Format.values()).filter(f -> f.fits(document)).findFirst());
    if (format.isEmpty()) {
      unusable.add(Format.where(document) + ": not recognised; say what it is with --from");
      return;
    }
    try {
      Found read = format.get().read(document, policy);
      String flaw = read.hashed() ? null : Rules.nodeName(read.node());
      if (flaw != null) {
        throw new UnusableException("'%s' cannot be a node: %s".formatted(read.node(), flaw));
      }
      found.add(read);
    } catch (UnusableException e) {
      unusable.add(Format.where(document) + ": " + e.getMessage());
    }
  }
}
