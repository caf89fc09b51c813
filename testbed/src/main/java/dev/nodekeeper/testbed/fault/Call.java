package dev.nodekeeper.testbed.fault;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** One request that reached the proxy, and what became of it. */
public final class Call {

  private final String method;
  private final String path;
  private final String query;
  private final List<Map.Entry<String, String>> headers;
  private final byte[] body;
  private volatile int status;

  Call(String method, String target, List<Map.Entry<String, String>> headers, byte[] body) {
    var mark = target.indexOf('?');
    this.method = method;
    this.path = mark < 0 ? target : target.substring(0, mark);
    this.query = mark < 0 ? "" : target.substring(mark + 1);
    this.headers = List.copyOf(headers);
    this.body = body.clone();
  }

  public String method() {
    return method;
  }

  /** Without the query. */
  public String path() {
    return path;
  }

  public String query() {
    return query;
  }

  public String body() {
    return new String(body, StandardCharsets.UTF_8);
  }

  public int bodyBytes() {
    return body.length;
  }

  /**
   * What the API server (or a rule in its place) answered; 0 while nothing has, -1 when the
   * connection ended first.
   */
  public int status() {
    return status;
  }

  public boolean isWatch() {
    return method.equals("GET") && List.of(query.split("&")).contains("watch=true");
  }

  /** Of something that counts: not of an event. */
  public boolean isWrite() {
    return !method.equals("GET") && !path.endsWith("/events");
  }

  String target() {
    return query.isEmpty() ? path : path + "?" + query;
  }

  List<Map.Entry<String, String>> headers() {
    return headers;
  }

  boolean hasToken() {
    return headers.stream().anyMatch(header -> header.getKey().equalsIgnoreCase("Authorization"));
  }

  void answered(int code) {
    status = code;
  }

  void ended() {
    if (status == 0) {
      status = -1;
    }
  }

  @Override
  public String toString() {
    return method + " " + target() + " -> " + status;
  }
}
