package dev.nodekeeper.testbed.fault;

import dev.nodekeeper.testbed.fault.Rule.Point;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** One client's connection: its HTTP/1.1 requests, one after the other. */
final class Connection implements Runnable {

  private static final Set<String> HOP_BY_HOP =
      Upstream.caseless("Connection", "Content-Length", "Transfer-Encoding", ":status");

  private final FaultProxy proxy;
  private final Socket socket;
  private final SSLContext tls;
  private final Thread thread = Thread.ofVirtual().name("fault-connection").unstarted(this);
  private volatile @Nullable Call last;
  private volatile @Nullable InputStream reply;

  Connection(FaultProxy proxy, Socket socket, SSLContext tls) {
    this.proxy = proxy;
    this.socket = socket;
    this.tls = tls;
  }

  void start() {
    thread.start();
  }

  boolean serves(Match match) {
    var call = last;
    return call != null && match.test().test(call);
  }

  boolean unused() {
    return last == null;
  }

  /** Both sides hear of it, and whoever waits for this connection stops waiting. */
  void close() {
    quietly(socket);
    var open = reply;
    if (open != null) {
      quietly(open);
    }
    thread.interrupt();
    proxy.ended(this);
  }

  private static void quietly(AutoCloseable thing) {
    try {
      thing.close();
    } catch (Exception e) {
      // It is gone, which is all we wanted.
      return;
    }
  }

  @Override
  public void run() {
    try (var secure = tls.getSocketFactory().createSocket(socket, null, true)) {
      var in = new BufferedInputStream(secure.getInputStream());
      var out = secure.getOutputStream();
      for (var call = read(in); call != null; call = read(in)) {
        last = call;
        proxy.arrived(call);
        proxy.at(Point.BEFORE_SEND, call);
        serve(call, out);
        proxy.at(Point.AFTER_REPLY, call);
      }
    } catch (IOException e) {
      // Cut on purpose, or one of the two sides is gone: the other one learns it by our leaving.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      var unanswered = last;
      if (unanswered != null) {
        unanswered.ended();
      }
      close();
    }
  }

  private void serve(Call call, OutputStream out) throws IOException, InterruptedException {
    for (var rule : proxy.rulesFor(call)) {
      var instead = rule.answer();
      if (instead != null) {
        call.answered(instead.status());
        answer(instead, out);
        return;
      }
    }
    var response = proxy.upstream().send(call);
    try (var body = response.body()) {
      reply = body;
      if (call.isWatch() && response.statusCode() == 200) {
        relayWatch(call, response, out);
      } else {
        var bytes = body.readAllBytes();
        call.answered(response.statusCode());
        proxy.at(Point.BEFORE_REPLY, call);
        write(out, head(response) + "Content-Length: " + bytes.length + "\r\n\r\n", bytes);
      }
    } finally {
      reply = null;
    }
  }

  private void relayWatch(Call call, HttpResponse<InputStream> response, OutputStream out)
      throws IOException, InterruptedException {
    call.answered(200);
    proxy.at(Point.BEFORE_REPLY, call);
    write(out, head(response) + "Transfer-Encoding: chunked\r\n\r\n", new byte[0]);
    var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      for (var frame : proxy.edited(call, new Frame(line))) {
        var bytes = (frame.line() + "\n").getBytes(StandardCharsets.UTF_8);
        var chunk = new ByteArrayOutputStream();
        chunk.write(bytes);
        chunk.write('\r');
        chunk.write('\n');
        write(out, Integer.toHexString(bytes.length) + "\r\n", chunk.toByteArray());
      }
    }
    write(out, "0\r\n\r\n", new byte[0]);
  }

  /** The words of a Status, as the API server would choose them. */
  private static void answer(Rule.Answer instead, OutputStream out) throws IOException {
    var reason =
        switch (instead.status()) {
          case 401 -> "Unauthorized";
          case 403 -> "Forbidden";
          case 404 -> "NotFound";
          case 409 -> "Conflict";
          case 410 -> "Expired";
          case 429 -> "TooManyRequests";
          case 503 -> "ServiceUnavailable";
          case 504 -> "Timeout";
          default -> "InternalError";
        };
    var body =
        """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"said by the fault proxy","reason":"%s","code":%d}\
        """
            .formatted(reason, instead.status())
            .getBytes(StandardCharsets.UTF_8);
    var wait =
        instead.retryAfter().equals(Duration.ZERO)
            ? ""
            : "Retry-After: " + instead.retryAfter().toSeconds() + "\r\n";
    write(
        out,
        "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(instead.status(), reason, wait, body.length),
        body);
  }

  private static String head(HttpResponse<?> response) {
    var head = new StringBuilder("HTTP/1.1 " + response.statusCode() + " As-Told\r\n");
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!HOP_BY_HOP.contains(name)) {
                values.forEach(value -> head.append(name + ": " + value + "\r\n"));
              }
            });
    return head.toString();
  }

  private static void write(OutputStream out, String head, byte[] rest) throws IOException {
    var all = new ByteArrayOutputStream();
    all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(rest);
    out.write(all.toByteArray());
    out.flush();
  }

  /** Null when the client has left. */
  private static @Nullable Call read(InputStream in) throws IOException {
    var first = line(in);
    if (first.isEmpty()) {
      return null;
    }
    var words = first.split(" ", 3);
    var headers = new ArrayList<Map.Entry<String, String>>();
    var length = 0;
    for (var line = line(in); !line.isEmpty(); line = line(in)) {
      var colon = line.indexOf(':');
      var name = line.substring(0, colon).strip();
      var value = line.substring(colon + 1).strip();
      headers.add(Map.entry(name, value));
      if (name.equalsIgnoreCase("Content-Length")) {
        length = Integer.parseInt(value);
      } else if (name.equalsIgnoreCase("Transfer-Encoding")) {
        throw new IOException("a request in chunks is more than this proxy understands");
      }
    }
    var body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("half a request");
    }
    return new Call(words[0], words[1], headers, body);
  }

  /** Without its end; empty at the end of the stream as well. */
  private static String line(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        bytes.write(next);
      }
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }
}
