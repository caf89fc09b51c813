package dev.nodekeeper.bench.measure;

import dev.nodekeeper.testbed.AuditLog.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The requests of one user during a phase, as the API server's audit log has them. */
public record Tally(List<Request> requests) {

  /** Such as {@code patch nodes -> 3}. */
  public Map<String, Long> byKind() {
    return requests.stream()
        .collect(Collectors.groupingBy(Request::what, TreeMap::new, Collectors.counting()));
  }

  public long count(String what) {
    return requests.stream().filter(request -> request.what().equals(what)).count();
  }

  /**
   * What the work costs: lists and watches are the price of a replica, leases that of sharing, and
   * events (five a second at most) that of being told.
   */
  public long work() {
    return requests.stream()
        .filter(request -> !isLease(request) && !request.resource().equals("events"))
        .filter(request -> !request.verb().equals("list") && !request.verb().equals("watch"))
        .count();
  }

  public long reads() {
    return requests.stream()
        .filter(request -> request.verb().equals("get") && !isLease(request))
        .filter(
            request ->
                request.resource().equals("nodes") || request.resource().equals("configmaps"))
        .count();
  }

  public long leases() {
    return requests.stream().filter(Tally::isLease).count();
  }

  private static boolean isLease(Request request) {
    return request.resource().equals("leases");
  }

  /** When those of this kind arrived, in order. */
  public List<Instant> times(String what) {
    return requests.stream()
        .filter(request -> request.what().equals(what))
        .map(Request::time)
        .sorted()
        .toList();
  }

  /** How many of this kind arrived per second, from the first to the last of them. */
  public double perSecond(String what) {
    var times = times(what);
    return times.size() < 2
        ? Double.NaN
        : (times.size() - 1) / seconds(times.getFirst(), times.getLast());
  }

  public static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }
}
