package dev.nodekeeper.config;

import static dev.nodekeeper.config.Option.Arity.ONCE;
import static dev.nodekeeper.config.Option.Arity.REPEATABLE;

import dev.nodekeeper.config.Option.Arity;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.policy.Policy.IdentityBy;
import dev.nodekeeper.core.policy.Policy.OnConflict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** All settings there are. Flags, environment variables and the reference page come from here. */
public final class Options {
  private static final List<Option<?>> DECLARED = new ArrayList<>();

  public static final Option<String> NAMESPACE =
      option(
          "namespace",
          "NAME",
          "nodekeeper",
          "Namespace of the records, one ConfigMap per node",
          "a namespace name: at most 63 lower-case letters, digits and '-'",
          Parsers.matching("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"));

  public static final Option<Set<Kind>> KEEP =
      option(
          "keep",
          "KINDS",
          "labels,taints",
          "What to remember and restore",
          "a comma separated list of labels, taints, annotations, cordon",
          Options::kinds);

  public static final Option<List<String>> LABEL_PREFIX =
      option(
          "label-prefix",
          "PREFIX",
          "",
          "Keep only labels whose key starts with this; may be repeated; none keeps all",
          "the beginning of a label key, such as example.com/ or team",
          REPEATABLE,
          Parsers.listOf(Parsers.matching("[A-Za-z0-9][-A-Za-z0-9_.]*(/[-A-Za-z0-9_.]*)?")));

  public static final Option<OnConflict> ON_CONFLICT =
      option(
          "on-conflict",
          "WHO",
          "node",
          "Who wins where a returning node has a label or annotation with another value",
          "node or record",
          Parsers.oneOf(OnConflict.class));

  public static final Option<IdentityBy> IDENTITY =
      option(
          "identity",
          "BY",
          "name",
          "What makes a returning node the same machine; in doubt, reserved labels are withheld",
          "name, provider or machine",
          Parsers.oneOf(IdentityBy.class));

  public static final Option<Duration> RESYNC =
      time("resync", "5m", "How often everything is compared again", "1s", "24h");

  public static final Option<Duration> FORGET_AFTER =
      time(
          "forget-after",
          "90d",
          "How long the record of a node that stays away is kept; 0 keeps it for ever",
          "0",
          "3650d");

  public static final Option<Role> ROLE =
      option(
          "role",
          "ROLE",
          "all",
          "What this process does: capture writes records, restore patches nodes",
          "all, capture or restore",
          Parsers.oneOf(Role.class));

  public static final Option<Integer> SHARDS =
      number(
          "shards",
          "1",
          "Leases by which replicas share the nodes; 1 is plain leader election, 0 is none:"
              + " every replica does everything",
          0,
          256);

  public static final Option<Duration> LEASE =
      time("lease", "8s", "After so long without a sign of life others take over", "2s", "5m");

  public static final Option<String> KUBECONFIG =
      option(
          "kubeconfig",
          "FILE",
          "",
          "Kubeconfig file; else KUBECONFIG, ~/.kube/config or the service account",
          "a file",
          Function.identity());

  public static final Option<String> CONTEXT =
      option(
          "context",
          "NAME",
          "",
          "Context of the kubeconfig; else its current one",
          "the name of a context",
          Function.identity());

  public static final Option<LogLevel> LOG_LEVEL =
      option(
          "log-level",
          "LEVEL",
          "info",
          "How much is logged",
          "error, warn, info, debug or trace",
          Parsers.oneOf(LogLevel.class));

  public static final Option<LogFormat> LOG_FORMAT =
      option(
          "log-format",
          "FORMAT",
          "text",
          "How log lines look",
          "text or json",
          Parsers.oneOf(LogFormat.class));

  public static final Option<Integer> HTTP_PORT =
      number(
          "http-port",
          "8080",
          "Port of /livez, /readyz and /metrics; 0 takes a free one",
          0,
          65535);

  public static final Option<Optional<Listen>> CONSOLE =
      option(
          "console",
          "ADDRESS",
          "127.0.0.1:8081",
          "Where the console listens, read-only and without a login; port 0 takes a free one",
          "an address such as 127.0.0.1:8081, or off",
          Listen::parse);

  public static final Option<Duration> SETTLE =
      time(
          "settle", "100ms", "A change is captured when it has been quiet for so long", "0s", "1m");

  public static final Option<Duration> SETTLE_MAX =
      time("settle-max", "500ms", "And at the latest after so long", "0s", "10m");

  public static final Option<Duration> EMPTY_GRACE =
      time("empty-grace", "60s", "How long a record with nothing in it is kept", "1s", "168h");

  public static final Option<Duration> TOMBSTONE_LIFE =
      time("tombstone-life", "1h", "How long the last state of a deleted node waits", "1m", "168h");

  public static final Option<Integer> VERSIONS =
      number("versions", "4", "Older versions kept in a record", 1, 32);

  public static final Option<Integer> RESTORES =
      number("restores", "3", "Restores per life of a node before backing off", 1, 100);

  public static final Option<Integer> WRITERS =
      number("writers", "32", "API requests in flight at once", 1, 1024);

  public static final Option<Integer> RATE =
      number("rate", "2000", "API requests per second", 1, 100_000);

  /** In the order of help texts and the reference page. */
  public static final List<Option<?>> ALL = Collections.unmodifiableList(DECLARED);

  private Options() {}

  private static Set<Kind> kinds(String text) {
    EnumSet<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (String word : Parsers.listOf(Function.<String>identity()).apply(text)) {
      kinds.add(
          Arrays.stream(Kind.values())
              .filter(kind -> kind.setting().equals(word))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException(word)));
    }
    return Collections.unmodifiableSet(Parsers.check(kinds, !kinds.isEmpty()));
  }

  private static Option<Duration> time(
      String name, String standard, String description, String min, String max) {
    return option(
        name,
        "DURATION",
        standard,
        description,
        "a duration such as 500ms, 30s, 5m or 1h, from " + min + " to " + max,
        Parsers.duration(Parsers.duration(min), Parsers.duration(max)));
  }

  private static Option<Integer> number(
      String name, String standard, String description, int min, int max) {
    return option(
        name,
        "N",
        standard,
        description,
        "a whole number from " + min + " to " + max,
        Parsers.integer(min, max));
  }

  private static <T> Option<T> option(
      String name,
      String label,
      String standard,
      String description,
      String allowed,
      Function<String, T> parse) {
    return option(name, label, standard, description, allowed, ONCE, parse);
  }

  private static <T> Option<T> option(
      String name,
      String label,
      String standard,
      String description,
      String allowed,
      Arity arity,
      Function<String, T> parse) {
    Option<T> option = new Option<>(name, label, standard, description, allowed, arity, parse);
    DECLARED.add(option);
    return option;
  }
}
