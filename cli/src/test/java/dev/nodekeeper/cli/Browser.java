package dev.nodekeeper.cli;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One page of a headless Chromium, driven by its DevTools protocol. */
final class Browser implements AutoCloseable, WebSocket.Listener {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration HANG = Duration.ofSeconds(90);

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicInteger loads = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final StringBuilder partial = new StringBuilder();

  /** What its console says that is not well. */
  final List<String> complaints = new CopyOnWriteArrayList<>();

  /** Where it sent requests to. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  Browser(Path dir) throws Exception {
    process =
        new ProcessBuilder(
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--hide-scrollbars",
                "--window-size=1280,960",
                "--remote-debugging-port=0",
                "--user-data-dir=" + dir,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("log").toFile())
            .start();
    Path port = dir.resolve("DevToolsActivePort");
    await("chromium (hack/deps.sh installs it)")
        .atMost(HANG)
        .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
    URI list = URI.create("http://127.0.0.1:" + Files.readAllLines(port).getFirst() + "/json/list");
    await().atMost(HANG).until(() -> page(list) != null);
    URI page = URI.create(Objects.requireNonNull(page(list)));
    socket = http.newWebSocketBuilder().buildAsync(page, this).get(60, TimeUnit.SECONDS);
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      send(domain + ".enable", Map.of());
    }
  }

  private @Nullable String page(URI list) throws Exception {
    var reply = http.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString());
    for (JsonNode target : JSON.readTree(reply.body())) {
      if (target.path("type").asText().equals("page")) {
        return target.path("webSocketDebuggerUrl").asText();
      }
    }
    return null;
  }

  // ---- the protocol

  private JsonNode send(String method, Map<String, ?> parameters) throws Exception {
    int id = number.incrementAndGet();
    CompletableFuture<JsonNode> reply = new CompletableFuture<>();
    asked.put(id, reply);
    ObjectNode request = JSON.createObjectNode().put("id", id).put("method", method);
    request.set("params", JSON.valueToTree(parameters));
    socket.sendText(request.toString(), true).get(60, TimeUnit.SECONDS);
    JsonNode answer = reply.get(90, TimeUnit.SECONDS);
    if (answer.has("error")) {
      throw new IllegalStateException(method + ": " + answer.path("error"));
    }
    return answer.path("result");
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      try {
        hear(JSON.readTree(partial.toString()));
      } catch (IOException e) {
        complaints.add(e.toString());
      }
      partial.setLength(0);
    }
    from.request(1);
    return null;
  }

  private void hear(JsonNode message) {
    if (message.has("id")) {
      Objects.requireNonNull(asked.remove(message.path("id").asInt())).complete(message);
      return;
    }
    JsonNode about = message.path("params");
    switch (message.path("method").asText()) {
      case "Page.loadEventFired" -> loads.incrementAndGet();
      case "Network.requestWillBeSent" -> requests.add(about.at("/request/url").asText());
      case "Runtime.exceptionThrown" -> complaints.add(about.toString());
      case "Log.entryAdded" -> complaints.add(about.at("/entry/text").asText());
      case "Runtime.consoleAPICalled" -> complaints.add(about.toString());
      default -> {}
    }
  }

  // ---- what a person does

  void open(String address) throws Exception {
    arriving(() -> send("Page.navigate", Map.of("url", address)));
  }

  /** Does something that leads to another page, and waits for that. */
  void arriving(Action action) throws Exception {
    int before = loads.get();
    action.run();
    await("the page").atMost(HANG).until(() -> loads.get() > before);
  }

  interface Action {
    @Nullable Object run() throws Exception;
  }

  JsonNode look(String script) throws Exception {
    JsonNode result =
        send(
            "Runtime.evaluate",
            Map.of("expression", script, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(result.path("exceptionDetails").toString());
    }
    return result.at("/result/value");
  }

  /** The texts of all elements that a selector finds. */
  List<String> texts(String selector) throws Exception {
    List<String> texts = new ArrayList<>();
    look("[...document.querySelectorAll('%s')].map(e => e.textContent)".formatted(selector))
        .forEach(text -> texts.add(text.asText()));
    return texts;
  }

  @Nullable Void press(String key) throws Exception {
    var down =
        key.length() == 1
            ? Map.of("type", "keyDown", "key", key, "text", key)
            : Map.of("type", "keyDown", "key", key, "text", "\r", "windowsVirtualKeyCode", 13);
    send("Input.dispatchKeyEvent", down);
    send("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
    return null;
  }

  void type(String text) throws Exception {
    send("Input.insertText", Map.of("text", text));
  }

  void scheme(String scheme) throws Exception {
    send(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  void screenshot(String name) throws Exception {
    boolean keep = Boolean.getBoolean("screenshots.update");
    Path folder = keep ? Path.of("..", "docs", "images") : Path.of("target", "screenshots");
    byte[] image =
        Base64.getDecoder().decode(send("Page.captureScreenshot", Map.of()).path("data").asText());
    Files.createDirectories(folder);
    Files.write(folder.resolve(name + ".png"), image);
  }

  @Override
  public void close() throws Exception {
    socket.abort();
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    http.close();
  }
}
