package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
@DisplayName("The console in a real browser, with 10,000 nodes")
final class ConsoleIT {
  private static final int NODES = 10_000;
  private static final int LABELLED = 1_500;
  private static final Pattern NODE_LINK = Pattern.compile("<tr><td><a href=\"/nodes/([^\"]+)\"");
  private static final Pattern NEXT = Pattern.compile("id=next rel=next href=\"([^\"#]+)");

  private final HttpClient http = HttpClient.newHttpClient();
  private ControlPlane plane;
  private Bed bed;
  private Browser browser;
  private String base;

  @TempDir private static Path dir;

  @BeforeAll
  void fleet() throws Exception {
    // Its own: 10,000 nodes go faster with it than one by one.
    plane = ControlPlane.start(Options.defaults());
    bed = new Bed(plane);
    List<Machine> machines =
        IntStream.range(0, NODES - 1)
            .mapToObj(i -> Machine.named("node-%05d".formatted(i)))
            .map(
                machine ->
                    machine.name().compareTo("node-%05d".formatted(LABELLED)) < 0
                        ? machine.withLabel("pool", "gpu")
                        : machine)
            .toList();
    bed.fleet.register(machines);
    Nodekeeper keeper = bed.keeper("--console=127.0.0.1:0");
    base = "http://localhost:" + keeper.consolePort().orElseThrow();
    await().atMost(Bed.HANG).until(() -> get("/").body().contains("<b>9,999</b> current"));
    threeLives("gpu-17");
    await().atMost(Bed.HANG).until(() -> get("/").body().contains("<b>10,000</b> current"));
    browser = new Browser(Files.createDirectory(dir.resolve("chromium")));
  }

  /** Ends alive, in its third incarnation. */
  private void threeLives(String name) {
    bed.register(name);
    bed.label(name, "team", "vision");
    bed.merge(
        name,
        "{\"spec\":{\"taints\":[{\"key\":\"dedicated\",\"value\":\"vision\",\"effect\":\"NoSchedule\"}]}}");
    bed.awaitRecord(name, "dedicated");
    bed.delete(name);
    bed.register(name);
    bed.awaitLabel(name, "team", "vision");
    bed.label(name, "disk", "nvme");
    bed.awaitRecord(name, "nvme");
    bed.delete(name);
    bed.register(name);
    bed.awaitLabel(name, "disk", "nvme");
    bed.label(name, "team", "audio");
    bed.awaitRecord(name, "audio");
    bed.annotate(name, "example.com/note", "<script>document.title=1</script>");
  }

  @AfterAll
  void end() throws Exception {
    browser.close();
    http.close();
    bed.stop();
    plane.close();
  }

  @AfterEach
  void quiet() {
    assertThat(browser.complaints).isEmpty();
    assertThat(browser.requests)
        .allMatch(address -> address.startsWith(base + "/") || address.startsWith("file:"));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(base + path)).build(), BodyHandlers.ofString());
  }

  @Test
  @DisplayName("the fleet at a glance: numbers, plots, what happened just now, dark and light")
  void fleetPage() throws Exception {
    browser.scheme("light");
    browser.open(base + "/");
    assertThat(browser.texts("h1")).containsExactly("Fleet");
    assertThat(browser.texts("#nodes")).containsExactly("10,000 nodes");
    assertThat(browser.texts(".states li.current b")).containsExactly("10,000");
    assertThat(browser.texts(".story td")).contains("gpu-17", "Restored", "Registered", "Deleted");
    String light = browser.look("getComputedStyle(document.body).backgroundColor").asText();
    // The pulse beats every ten seconds.
    await()
        .atMost(Bed.HANG)
        .until(
            () -> {
              browser.open(base + "/");
              return browser.look("document.querySelectorAll('.plot polyline').length").asInt() > 0;
            });
    browser.screenshot("fleet");
    browser.scheme("dark");
    assertThat(browser.look("getComputedStyle(document.body).backgroundColor").asText())
        .isNotEqualTo(light);
    browser.screenshot("fleet-dark");
    browser.scheme("light");
  }

  @Test
  @DisplayName("everything by the keyboard: find, page, choose, open, home")
  void keyboard() throws Exception {
    browser.open(base + "/");
    assertThat(browser.texts("table.nodes tbody td:first-child")).hasSize(50).startsWith("gpu-17");
    browser.arriving(() -> browser.press("n"));
    List<String> second = browser.texts("table.nodes tbody td:first-child");
    assertThat(second).hasSize(50).startsWith("node-00049");
    browser.arriving(() -> browser.press("p"));
    assertThat(browser.texts("table.nodes tbody td:first-child")).startsWith("gpu-17");

    browser.press("/");
    assertThat(browser.look("document.activeElement.id").asText()).isEqualTo("q");
    browser.type("node-0012");
    browser.arriving(() -> browser.press("Enter"));
    assertThat(browser.texts("table.nodes tbody td:first-child"))
        .hasSize(10)
        .allMatch(name -> name.startsWith("node-0012"));
    assertThat(browser.texts("#nodes")).containsExactly("10 nodes with node-0012");
    browser.press("j");
    browser.press("j");
    browser.press("k");
    browser.press("j");
    assertThat(browser.texts("tr.chosen td:first-child")).containsExactly("node-00121");
    browser.arriving(() -> browser.press("Enter"));
    assertThat(browser.texts("h1")).containsExactly("node-00121");
    browser.arriving(() -> browser.press("h"));
    assertThat(browser.texts("h1")).containsExactly("Fleet");
  }

  @Test
  @DisplayName("filters: by label, by state, by nothing that is there")
  void filters() throws Exception {
    browser.open(base + "/?q=pool%3Dgpu");
    assertThat(browser.texts("#nodes")).containsExactly("1,500 nodes with pool=gpu");
    browser.arriving(() -> browser.look("document.querySelector('li.current a').click()"));
    assertThat(browser.texts("#nodes")).containsExactly("1,500 nodes with pool=gpu, current");
    browser.open(base + "/?q=%3Cb%3Enone");
    assertThat(browser.texts("#nodes")).containsExactly("0 nodes with <b>none");
  }

  @Test
  @DisplayName("the pages together show every node once, in order")
  void allPages() throws Exception {
    List<String> names = new ArrayList<>();
    for (String path = "/"; !path.isEmpty(); ) {
      String page = get(path).body();
      Matcher rows = NODE_LINK.matcher(page.substring(page.indexOf("table class=nodes")));
      while (rows.find()) {
        names.add(rows.group(1));
      }
      Matcher next = NEXT.matcher(page);
      path = next.find() ? next.group(1).replace("&amp;", "&") : "";
    }
    assertThat(names).hasSize(NODES).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("a node's page: both sides, three lives, a time line; text of a cluster is text")
  void nodePage() throws Exception {
    browser.open(base + "/nodes/gpu-17");
    assertThat(browser.texts(".verdict b")).containsExactly("current");
    assertThat(browser.texts("table.sides td")).contains("team", "audio", "dedicated:NoSchedule");
    assertThat(browser.texts("table.sides td")).anyMatch(text -> text.startsWith("kubectl-label"));
    List<String> lives = browser.texts("table.lives td:first-child");
    assertThat(lives.stream().map(life -> life.substring(0, 8)).distinct()).hasSize(3);
    assertThat(lives).filteredOn(life -> life.endsWith(", living")).hasSize(1);
    assertThat(browser.texts("table.lives")).singleElement().asString().contains("~label:team");
    List<String> story = browser.texts("table.story td:nth-child(2)");
    assertThat(story).filteredOn("Registered"::equals).hasSize(3);
    assertThat(browser.texts("table.story tr"))
        .filteredOn(line -> line.contains("Restored") && !line.contains("event of nodekeeper"))
        .hasSize(2);
    assertThat(story).contains("Deleted", "Captured", "Created", "Recorded");
    browser.screenshot("node");
    // Not kept, so not shown; and never run.
    assertThat(browser.look("document.title").asText()).isEqualTo("gpu-17 - Nodekeeper");
    assertThat(get("/nodes/gpu-17").body()).doesNotContain("document.title=1");
  }

  @Test
  @DisplayName("kept annotations are shown as the text that they are")
  void markup() throws Exception {
    Nodekeeper other = bed.keeper("--console=127.0.0.1:0", "--keep=annotations", "--role=restore");
    String page =
        http.send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://localhost:"
                                + other.consolePort().orElseThrow()
                                + "/nodes/gpu-17"))
                    .build(),
                BodyHandlers.ofString())
            .body();
    assertThat(page).contains("&lt;script&gt;document.title=1").doesNotContain("<script>document");
  }

  @Test
  @DisplayName("nothing can be changed, nothing may be loaded from elsewhere, nobody else may look")
  void locked() throws Exception {
    HttpResponse<String> page = get("/");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "*");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS")) {
      var request =
          HttpRequest.newBuilder(URI.create(base + "/nodes/gpu-17"))
              .method(method, BodyPublishers.ofString("x"))
              .build();
      assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }
    assertThat(get("/nodes/nobody").statusCode()).isEqualTo(404);
    assertThat(get("/nodes/..%2f..%2fsecrets").statusCode()).isEqualTo(404);
    assertThat(get("/else").statusCode()).isEqualTo(404);
    try (var socket = new Socket("127.0.0.1", URI.create(base).getPort())) {
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      byte[] start = socket.getInputStream().readNBytes(12);
      assertThat(new String(start, StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 421");
    }
  }

  @Test
  @DisplayName("diff as a terminal shows it")
  void diff() throws Exception {
    var out = new ByteArrayOutputStream();
    var screen =
        new Screen(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, Ansi.ON);
    int code =
        Commands.line(screen, Map.of())
            .execute(
                "diff",
                "gpu-17",
                "--all",
                "--keep=labels,taints,annotations",
                "--kubeconfig=" + bed.plane.adminKubeconfig(),
                "--namespace=" + bed.namespace);
    assertThat(code).isEqualTo(ExitCode.ATTENTION);
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text).contains("\u001b[31m-\u001b[0m", "example.com/note");
    String html =
        text.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replaceAll("\u001b\\[(3[0-9])m", "<b class=c$1>")
            .replace("\u001b[0m", "</b>");
    Path page =
        Files.writeString(
            dir.resolve("diff.html"),
            "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><style>body{background:#12161c;color:#e6edf3;"
                + "font:14px/1.5 monospace;padding:1rem}.c31{color:#ff8a80}.c32{color:#56d364}"
                + ".c33{color:#e3b341}</style><pre>$ nodekeeper diff gpu-17 --all\n"
                + html);
    browser.open(page.toUri().toString());
    browser.screenshot("diff");
    browser.requests.removeIf(address -> address.startsWith("data:"));
  }
}
