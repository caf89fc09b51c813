package dev.nodekeeper.testbed.fault;

import java.util.function.Predicate;

/** Which calls a rule is about. A path is without its query; one that ends in * is a beginning. */
public record Match(String title, Predicate<Call> test) {

  public static Match any() {
    return new Match("any", _ -> true);
  }

  /** Everything but watches. */
  public static Match requests() {
    return new Match("requests", call -> !call.isWatch());
  }

  public static Match writes() {
    return new Match("writes", Call::isWrite);
  }

  public static Match request(String method, String path) {
    return new Match(
        method + " " + path,
        call -> call.method().equals(method) && !call.isWatch() && fits(path, call.path()));
  }

  public static Match get(String path) {
    return request("GET", path);
  }

  public static Match post(String path) {
    return request("POST", path);
  }

  public static Match put(String path) {
    return request("PUT", path);
  }

  public static Match patch(String path) {
    return request("PATCH", path);
  }

  public static Match delete(String path) {
    return request("DELETE", path);
  }

  /** Watches of a resource such as {@code nodes}, in whatever namespace. */
  public static Match watch(String resource) {
    return new Match(
        "watch " + resource, call -> call.isWatch() && call.path().endsWith("/" + resource));
  }

  /** Lists of a resource, each page of them. */
  public static Match list(String resource) {
    return new Match(
        "list " + resource,
        call ->
            call.method().equals("GET") && !call.isWatch() && call.path().endsWith("/" + resource));
  }

  public Match and(Predicate<Call> more) {
    return new Match(title, test.and(more));
  }

  public Match or(Match other) {
    return new Match(title + " or " + other.title, test.or(other.test));
  }

  private static boolean fits(String pattern, String path) {
    return pattern.endsWith("*")
        ? path.startsWith(pattern.substring(0, pattern.length() - 1))
        : path.equals(pattern);
  }
}
