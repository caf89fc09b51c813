package dev.nodekeeper.testbed.fault;

import static dev.nodekeeper.testbed.fault.Match.any;
import static dev.nodekeeper.testbed.fault.Match.get;
import static dev.nodekeeper.testbed.fault.Match.list;
import static dev.nodekeeper.testbed.fault.Match.patch;
import static dev.nodekeeper.testbed.fault.Match.post;
import static dev.nodekeeper.testbed.fault.Match.watch;
import static dev.nodekeeper.testbed.fault.Match.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.KubeException;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Reply;
import dev.nodekeeper.testbed.SharedControlPlane;
import dev.nodekeeper.testbed.Watch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The fault proxy, each trouble it makes, before a real API server")
class FaultProxyIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Duration SHORT = Duration.ofMillis(500);

  private final ControlPlane plane = SharedControlPlane.get();
  private final Kube admin = plane.admin();
  private final FaultProxy proxy = FaultProxy.before(plane, "proxied", "system:masters");
  private final Kube client = proxy.client();
  private final String name = "map-" + NUMBER.incrementAndGet();
  private final String path = MAPS + "/" + name;

  @AfterEach
  void end() {
    client.close();
    proxy.close();
    admin.delete(path);
  }

  @Test
  @DisplayName("without trouble it passes everything: user, status, body, watch events, journal")
  void passes() {
    var mark = plane.audit().mark();
    create(client).expect(201);
    assertThat(client.get(path).expect().path("metadata").path("name").asText()).isEqualTo(name);
    client.get(path + "-none").expect(404);
    assertThat(plane.audit().since(mark).count("proxied")).isEqualTo(3);
    assertThat(proxy.journal())
        .extracting(Call::toString)
        .containsExactly(
            "POST " + MAPS + " -> 201", "GET " + path + " -> 200", "GET " + path + "-none -> 404");
    assertThat(proxy.journal(writes()).getFirst().bodyBytes()).isEqualTo(object().length());
    assertThat(proxy.journal(writes()).getFirst().body()).isEqualTo(object());
    try (var seen = new Seen(client)) {
      seen.await("ADDED");
      write("1");
      seen.await("ADDED", "MODIFIED");
    }
  }

  @Test
  @DisplayName("a request with a token is its owner's, not the proxied user's")
  void token() throws Exception {
    admin.create(
        "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"" + name + "\"}}");
    var token =
        admin
            .create(
                "/api/v1/namespaces/default/serviceaccounts/" + name + "/token",
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}")
            .expect()
            .path("status")
            .path("token")
            .asText();
    try (var http = HttpClient.newBuilder().sslContext(plane.anonymousTls()).build()) {
      var request =
          HttpRequest.newBuilder(URI.create(proxy.server() + path))
              .header("Authorization", "Bearer " + token)
              .build();
      var reply = http.send(request, BodyHandlers.ofString());
      assertThat(reply.statusCode()).isEqualTo(403);
      assertThat(reply.body()).contains("system:serviceaccount:default:" + name);
    }
  }

  @Test
  @DisplayName("its kubeconfig leads through it")
  void kubeconfig() throws IOException {
    assertThat(Files.readString(proxy.kubeconfig())).contains("server: " + proxy.server());
    assertThat(Files.readString(plane.kubeconfig("proxied", "system:masters")))
        .contains("server: " + plane.server());
  }

  @Test
  @DisplayName("delays, there and back")
  void delay() {
    proxy.on(get(path)).delay(Duration.ofMillis(150), Duration.ofMillis(150));
    var began = System.nanoTime();
    client.get(path).expect(404);
    assertThat(System.nanoTime() - began).isGreaterThan(Duration.ofMillis(300).toNanos());
  }

  @Test
  @DisplayName("refuses before sending: an error for the client, nothing at the API server")
  void refuse() {
    proxy.on(post(MAPS)).first().refuse();
    assertThatThrownBy(() -> create(client)).isInstanceOf(KubeException.class);
    admin.get(path).expect(404);
    await().until(() -> proxy.journal().getFirst().status() == -1);
    create(client).expect(201);
  }

  @Test
  @DisplayName("drops the n-th reply only: an error for the client, done at the API server")
  void dropReply() {
    create(client).expect();
    proxy.on(patch(path)).nth(2).dropReply();
    write(client, "1").expect();
    assertThatThrownBy(() -> write(client, "2")).isInstanceOf(KubeException.class);
    assertThat(value()).isEqualTo("2");
    write(client, "3").expect();
  }

  @Test
  @DisplayName("answers with a status of choice and Retry-After, the API server never asked")
  void answers() throws Exception {
    var rule = proxy.on(post(MAPS)).answer(429, Duration.ofSeconds(7));
    var refused = create(client);
    assertThat(refused.code()).isEqualTo(429);
    assertThat(refused.body().path("reason").asText()).isEqualTo("TooManyRequests");
    try (var http = HttpClient.newBuilder().sslContext(plane.anonymousTls()).build()) {
      var request =
          HttpRequest.newBuilder(URI.create(proxy.server() + MAPS))
              .POST(HttpRequest.BodyPublishers.ofString("{}"))
              .build();
      assertThat(http.send(request, BodyHandlers.ofString()).headers().firstValue("Retry-After"))
          .contains("7");
    }
    admin.get(path).expect(404);
    proxy.lift(rule);
    create(client).expect(201);
    for (int status : List.of(401, 403, 410, 500)) {
      var each = proxy.on(get(path)).answer(status);
      client.get(path).expect(status);
      proxy.lift(each);
    }
  }

  @Test
  @DisplayName("holds a request before it is sent, and a reply after it is done, until released")
  void gates() {
    var before = proxy.on(post(MAPS)).first().holdRequest();
    var creating = CompletableFuture.supplyAsync(() -> create(client), threads());
    before.awaitArrived();
    admin.get(path).expect(404);
    before.release();
    assertThat(creating.join().code()).isEqualTo(201);

    var after = proxy.on(patch(path)).first().holdReply();
    var writing = CompletableFuture.supplyAsync(() -> write(client, "1"), threads());
    after.awaitArrived();
    assertThat(value()).isEqualTo("1");
    assertThat(writing).isNotDone();
    after.release();
    assertThat(writing.join().code()).isEqualTo(200);
  }

  @Test
  @DisplayName("one-way partition: requests lost, or only their replies")
  void oneWay() {
    var hasty = client.withTimeout(SHORT);
    var there = proxy.on(any()).muteRequests();
    assertThatThrownBy(() -> create(hasty)).hasMessageContaining("no answer");
    admin.get(path).expect(404);
    proxy.lift(there);
    // Late, but not lost: like a packet that is sent again when the line is back.
    await().until(() -> admin.get(path).ok());

    try (var seen = new Seen(client)) {
      seen.await("ADDED");
      proxy.on(any()).muteReplies();
      assertThatThrownBy(() -> write(hasty, "1")).hasMessageContaining("no answer");
      assertThat(value()).isEqualTo("1");
      assertThat(seen.types()).containsExactly("ADDED");
      proxy.heal();
      seen.await("ADDED", "MODIFIED");
    }
  }

  @Test
  @DisplayName("half-open: new and open connections wait for ever; healed, they work")
  void silent() {
    client.get(path).expect(404);
    proxy.fallSilent();
    assertThatThrownBy(() -> client.withTimeout(SHORT).get(path)).hasMessageContaining("no answer");
    try (var another = proxy.client()) {
      assertThatThrownBy(() -> another.withTimeout(SHORT).get(path))
          .hasMessageContaining("no answer");
    }
    proxy.heal();
    client.get(path).expect(404);
  }

  @Test
  @DisplayName("cuts all connections, or only those of a watch; shuts the door")
  void cuts() {
    create(client).expect();
    try (var maps = new Seen(client);
        var nodes = client.watch("/api/v1/nodes", _ -> {})) {
      maps.await("ADDED");
      proxy.cut(watch("configmaps"));
      await().until(() -> !maps.watch.open());
      assertThat(nodes.open()).isTrue();
      proxy.cut();
      await().until(() -> !nodes.open());
    }
    client.get(path).expect();
    proxy.shut();
    assertThatThrownBy(() -> client.get(path)).isInstanceOf(KubeException.class);
    proxy.heal();
    client.get(path).expect();
  }

  @Test
  @DisplayName("drops, repeats, swaps, holds and retypes events of an open watch")
  void frames() {
    create(client).expect();
    try (var seen = new Seen(client)) {
      seen.await("ADDED");
      edited(FrameEdit.drop(frame -> frame.is("MODIFIED", name)), () -> write("dropped"));
      edited(FrameEdit.repeat(frame -> frame.is("MODIFIED", name)), () -> write("repeated"));
      seen.await("ADDED", "MODIFIED", "MODIFIED");
      edited(
          FrameEdit.swapWithNext(frame -> frame.is("MODIFIED", name)),
          () -> {
            write("first");
            write("second");
          });
      seen.await("ADDED", "MODIFIED", "MODIFIED", "MODIFIED", "MODIFIED");
      assertThat(seen.values()).containsExactly("", "repeated", "repeated", "second", "first");
      var gate = new Gate();
      edited(
          FrameEdit.hold(frame -> frame.is("MODIFIED", name), gate),
          () -> {
            write("held");
            gate.awaitArrived();
            assertThat(seen.types()).hasSize(5);
            gate.release();
          });
      await().until(() -> seen.types().size() == 6);
      edited(
          FrameEdit.foldDeleteIntoModify(name),
          () -> {
            admin.delete(path).expect();
            create(admin).expect();
            await().until(() -> seen.types().size() == 7);
          });
      assertThat(seen.types().getLast()).isEqualTo("MODIFIED");
      assertThat(seen.uids()).hasSize(2);
    }
  }

  @Test
  @DisplayName("counts what passes, watches and lists apart; runs what a test wants at any point")
  void counts() {
    var points = new CopyOnWriteArrayList<String>();
    for (var point : Rule.Point.values()) {
      proxy.on(post(MAPS)).run(point, _ -> points.add(point + " " + admin.get(path).code()));
    }
    create(client).expect();
    await().until(() -> points.size() == 3);
    assertThat(points).containsExactly("BEFORE_SEND 404", "BEFORE_REPLY 200", "AFTER_REPLY 200");
    client.list(MAPS + "?limit=1");
    client.watch(MAPS, _ -> {}).close();
    assertThat(proxy.count(list("configmaps"))).isEqualTo(1);
    assertThat(proxy.count(watch("configmaps"))).isEqualTo(1);
    assertThat(proxy.count(writes())).isEqualTo(1);
    proxy.on(get(path)).runAndCut(Rule.Point.BEFORE_REPLY, _ -> points.add("cut"));
    assertThatThrownBy(() -> client.get(path)).isInstanceOf(KubeException.class);
    assertThat(points).contains("cut");
  }

  @Test
  @DisplayName("a frozen link delivers nothing and loses nothing")
  void link() throws Exception {
    try (var link = Link.to(plane.server().getPort());
        var through = plane.client(URI.create("https://127.0.0.1:" + link.port()), "linked")) {
      through.get("/version").expect();
      link.freeze();
      var asked = CompletableFuture.supplyAsync(() -> through.get("/version"), threads());
      assertThatThrownBy(() -> through.withTimeout(SHORT).get("/version"))
          .hasMessageContaining("no answer");
      assertThat(asked).isNotDone();
      link.thaw();
      assertThat(asked.join().ok()).isTrue();
    }
  }

  // ---- words

  private void edited(FrameEdit edit, Runnable meanwhile) {
    var rule = proxy.on(watch("configmaps")).edit(edit);
    var fence = "fence-" + NUMBER.incrementAndGet();
    meanwhile.run();
    // All events up to here have passed the edit when this one has: a watch has an order.
    admin.create(MAPS, "{\"metadata\":{\"name\":\"" + fence + "\"}}").expect();
    await().until(() -> fences.contains(fence));
    admin.delete(MAPS + "/" + fence).expect();
    proxy.lift(rule);
  }

  private final List<String> fences = new CopyOnWriteArrayList<>();

  private final class Seen implements AutoCloseable {
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final Watch watch;

    Seen(Kube kube) {
      watch =
          kube.watch(
              MAPS,
              event -> {
                var of = event.path("object").path("metadata").path("name").asText();
                if (of.equals(name)) {
                  events.add(event);
                } else {
                  fences.add(of);
                }
              });
    }

    List<String> types() {
      return events.stream().map(event -> event.path("type").asText()).toList();
    }

    List<String> values() {
      return events.stream()
          .map(event -> event.path("object").path("data").path("value").asText())
          .toList();
    }

    List<String> uids() {
      return events.stream()
          .map(event -> event.path("object").path("metadata").path("uid").asText())
          .distinct()
          .toList();
    }

    void await(String... types) {
      org.awaitility.Awaitility.await()
          .untilAsserted(() -> assertThat(types()).containsExactly(types));
    }

    @Override
    public void close() {
      watch.close();
    }
  }

  private static java.util.concurrent.Executor threads() {
    return Executors.newVirtualThreadPerTaskExecutor();
  }

  private String object() {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\""
        + name
        + "\"}}";
  }

  private Reply create(Kube kube) {
    return kube.create(MAPS, object());
  }

  private void write(String value) {
    write(admin, value).expect();
  }

  private Reply write(Kube kube, String value) {
    return kube.patch(path, Patch.MERGE, "{\"data\":{\"value\":\"" + value + "\"}}");
  }

  private String value() {
    return admin.get(path).expect().path("data").path("value").asText();
  }
}
