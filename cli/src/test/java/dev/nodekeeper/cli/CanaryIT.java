package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.Nodekeeper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is not meant to be shown is nowhere: values of annotations, nonces, markers")
final class CanaryIT {
  private static final String CANARY = "canary-5d41402abc4b";
  private static final List<String> FORMS = List.of("table", "wide", "json", "yaml", "name");
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("list"),
          List.of("show", "n1"),
          List.of("diff", "n1", "--all"),
          List.of("plan"),
          List.of("top", "--seconds", "0"),
          List.of("doctor"));

  private final Bed bed = new Bed();

  @AfterEach
  void end() throws Exception {
    bed.close();
  }

  /** Everything that can be made to say anything, by what it is. */
  private Map<String, String> everything(Nodekeeper keeper, String keep) throws Exception {
    Map<String, String> said = new LinkedHashMap<>();
    for (List<String> command : COMMANDS) {
      for (String form : FORMS) {
        var line = new ArrayList<>(command);
        line.addAll(List.of("-o", form, "--keep=" + keep));
        Typed typed = bed.type(line.toArray(String[]::new));
        said.put(command.getFirst() + " -o " + form, typed.out() + typed.err());
      }
    }
    for (String form : List.of("yaml", "json")) {
      said.put("export -o " + form, bed.type("export", "-o", form).out());
    }
    said.put("uninstall", bed.type("uninstall").out());
    String console = "http://localhost:" + keeper.consolePort().orElseThrow();
    String health = "http://localhost:" + keeper.httpPort();
    for (String address :
        List.of(
            console + "/",
            console + "/?q=n1",
            console + "/nodes/n1",
            console + "/nodes/other",
            health + "/metrics",
            health + "/readyz",
            health + "/livez")) {
      try (HttpClient http = HttpClient.newHttpClient()) {
        String path = address.replaceFirst("http://[^/]*", "");
        said.put(
            path,
            http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
                .body());
      }
    }
    assertThat(said.get("list -o table")).contains("n1");
    assertThat(said.get("/nodes/n1")).contains("vision");
    return said;
  }

  private void assertNoSecrets(Map<String, String> said) throws Exception {
    JsonNode state = new JsonMapper().readTree(bed.record("n1").at("/data/state.json").asText());
    String marker =
        bed.node("n1").at("/metadata/annotations").path("nodekeeper.dev/restored").asText();
    assertThat(marker).isNotEmpty();
    for (String secret : state.findValuesAsText("nonce")) {
      assertThat(secret).hasSizeGreaterThan(20);
      said.forEach((where, text) -> assertThat(text).as(where).doesNotContain(secret));
    }
    said.forEach((where, text) -> assertThat(text).as(where).doesNotContain(marker));
  }

  private Nodekeeper life(String keep) throws Exception {
    Nodekeeper keeper = bed.keeper("--console=127.0.0.1:0", "--keep=" + keep);
    bed.register("n1");
    bed.label("n1", "team", "vision");
    bed.awaitRecord("n1", "vision");
    bed.delete("n1");
    bed.register("n1");
    bed.awaitLabel("n1", "team", "vision");
    bed.annotate("n1", "example.com/secret", CANARY);
    bed.label("n1", "disk", "nvme");
    bed.awaitRecord("n1", "nvme");
    return keeper;
  }

  @Test
  @DisplayName("an annotation that is not kept is on no page and in no output")
  void notKept() throws Exception {
    var said = everything(life("labels,taints"), "labels,taints");
    said.forEach((where, text) -> assertThat(text).as(where).doesNotContain(CANARY));
    assertNoSecrets(said);
  }

  @Test
  @DisplayName("one that is kept is where its node is shown, and nowhere else")
  void kept() throws Exception {
    var said = everything(life("labels,taints,annotations"), "labels,taints,annotations");
    Map<String, Boolean> found = new TreeMap<>();
    said.forEach((where, text) -> found.put(where, text.contains(CANARY)));
    found.values().removeIf(shown -> !shown);
    assertThat(found.keySet())
        .containsExactlyInAnyOrder(
            "/nodes/n1",
            "diff -o json",
            "diff -o table",
            "diff -o wide",
            "diff -o yaml",
            "export -o json",
            "export -o yaml",
            "list -o json",
            "list -o yaml",
            "show -o json",
            "show -o table",
            "show -o wide",
            "show -o yaml");
    assertNoSecrets(said);
  }
}
