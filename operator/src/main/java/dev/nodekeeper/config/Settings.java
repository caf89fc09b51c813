package dev.nodekeeper.config;

import dev.nodekeeper.core.keep.Limits;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run was asked for.
 *
 * @param namespace of the records
 * @param console where it listens; empty for none
 * @param rate requests per second
 * @param shards leases by which replicas share the nodes; 0 for none
 * @param lease how long one lasts
 */
public record Settings(
    String namespace,
    Policy policy,
    Limits limits,
    ClusterSettings cluster,
    LogLevel logLevel,
    LogFormat logFormat,
    int httpPort,
    Optional<Listen> console,
    int rate,
    Role role,
    int shards,
    Duration lease) {

  /**
   * Which cluster; empty text means "find out".
   *
   * @param kubeconfig a file
   */
  public record ClusterSettings(String kubeconfig, String context) {}

  /**
   * Flags win over the environment, which wins over the defaults.
   *
   * @param flags by flag, for example {@code --namespace}
   * @param env NB: unknown NODEKEEPER_ variables are no error, because Kubernetes itself sets some
   *     for a Service of our name
   */
  public static Settings parse(Map<String, List<String>> flags, Map<String, String> env)
      throws InvalidSettingsException {
    List<String> violations = new ArrayList<>();
    unknown(flags, violations);
    Policy policy =
        new Policy(
            Options.KEEP.value(flags, env, violations),
            Options.LABEL_PREFIX.value(flags, env, violations),
            Options.ON_CONFLICT.value(flags, env, violations),
            Options.IDENTITY.value(flags, env, violations));
    Duration settle = Options.SETTLE.value(flags, env, violations);
    Duration settleMax = Options.SETTLE_MAX.value(flags, env, violations);
    if (settleMax.compareTo(settle) < 0) {
      violations.add(
          "%s (%s) must not be shorter than %s (%s)"
              .formatted(
                  Options.SETTLE_MAX.flag(),
                  settleMax.toMillis() + "ms",
                  Options.SETTLE.flag(),
                  settle.toMillis() + "ms"));
    }
    Limits limits =
        new Limits(
            settle,
            settleMax,
            Options.EMPTY_GRACE.value(flags, env, violations),
            Options.TOMBSTONE_LIFE.value(flags, env, violations),
            Options.VERSIONS.value(flags, env, violations),
            Options.RESTORES.value(flags, env, violations),
            Options.WRITERS.value(flags, env, violations),
            Options.RESYNC.value(flags, env, violations),
            Options.FORGET_AFTER.value(flags, env, violations));
    Settings settings =
        new Settings(
            Options.NAMESPACE.value(flags, env, violations),
            policy,
            limits,
            new ClusterSettings(
                Options.KUBECONFIG.value(flags, env, violations),
                Options.CONTEXT.value(flags, env, violations)),
            Options.LOG_LEVEL.value(flags, env, violations),
            Options.LOG_FORMAT.value(flags, env, violations),
            Options.HTTP_PORT.value(flags, env, violations),
            Options.CONSOLE.value(flags, env, violations),
            Options.RATE.value(flags, env, violations),
            Options.ROLE.value(flags, env, violations),
            Options.SHARDS.value(flags, env, violations),
            Options.LEASE.value(flags, env, violations));
    if (!violations.isEmpty()) {
      throw new InvalidSettingsException(violations);
    }
    return settings;
  }

  private static void unknown(Map<String, List<String>> flags, List<String> violations) {
    List<String> known = Options.ALL.stream().map(Option::flag).toList();
    flags.keySet().stream()
        .filter(flag -> !known.contains(flag))
        .sorted()
        .forEach(
            flag -> violations.add(flag + " is no setting; there are " + String.join(" ", known)));
  }
}
