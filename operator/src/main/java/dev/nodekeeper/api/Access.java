package dev.nodekeeper.api;

import dev.nodekeeper.config.Settings.ClusterSettings;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Finds the cluster and how to log in: kubeconfig outside, service account inside. */
final class Access {
  private final ClusterSettings settings;

  Access(ClusterSettings settings) {
    this.settings = settings;
  }

  /** Reads files and runs exec plugins again on each call: credentials rotate. */
  Config load() throws NoClusterException {
    String file = settings.kubeconfig();
    String context = settings.context();
    Config config;
    try {
      if (file.isEmpty()) {
        checkVariable();
        config = Config.autoConfigure(context.isEmpty() ? null : context);
      } else {
        if (!Files.isReadable(Path.of(file)) || Files.isDirectory(Path.of(file))) {
          throw new NoClusterException("--kubeconfig: cannot read the file " + file);
        }
        config = Config.fromKubeconfig(context.isEmpty() ? null : context, new File(file));
      }
    } catch (KubernetesClientException e) {
      String where = file.isEmpty() ? String.join(", ", Config.getKubeconfigFilenames()) : file;
      throw new NoClusterException("Cannot use the kubeconfig " + where + ": " + firstLine(e));
    }
    checkContext(config);
    addTokenFile(config);
    ClientKey.nameAlgorithm(config);
    return config;
  }

  /** The innermost cause: fabric8 wraps it into "An error has occurred". */
  private static String firstLine(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("unreadable");
  }

  /** fabric8 skips files that are not there; a person who named one wants to know. */
  private static void checkVariable() throws NoClusterException {
    String variable = System.getenv("KUBECONFIG");
    if (variable == null || variable.isBlank()) {
      return;
    }
    boolean found =
        Arrays.stream(variable.split(File.pathSeparator, -1)).anyMatch(f -> new File(f).isFile());
    if (!found) {
      throw new NoClusterException("KUBECONFIG: there is no file " + variable);
    }
  }

  private void checkContext(Config config) throws NoClusterException {
    NamedContext current = config.getCurrentContext();
    List<NamedContext> contexts = Objects.requireNonNullElse(config.getContexts(), List.of());
    String known = contexts.stream().map(NamedContext::getName).collect(Collectors.joining(", "));
    String wanted = settings.context();
    // fabric8 falls back to the current context: restoring onto another cluster would be worse.
    if (!wanted.isEmpty() && (current == null || !wanted.equals(current.getName()))) {
      throw new NoClusterException(
          "--context: the kubeconfig has no context '%s'; it has: %s"
              .formatted(wanted, known.isEmpty() ? "none" : known));
    }
    boolean fromFile = !settings.kubeconfig().isEmpty() || !contexts.isEmpty();
    if (current == null && fromFile) {
      throw new NoClusterException(
          "The kubeconfig has no current context; choose one with --context: "
              + (known.isEmpty() ? "it has none" : known));
    }
    boolean inside = System.getenv("KUBERNETES_SERVICE_HOST") != null;
    boolean named = !config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL);
    if (current == null && !inside && !named) {
      throw new NoClusterException(
          "No cluster: give --kubeconfig, set KUBECONFIG, or run inside a cluster");
    }
  }

  /** NB: fabric8 7.9.0 reads {@code token} of a kubeconfig user, but not {@code tokenFile}. */
  private static void addTokenFile(Config config) throws NoClusterException {
    File file = config.getFileWithAuthInfo();
    NamedContext current = config.getCurrentContext();
    if (file == null || current == null || config.getAutoOAuthToken() != null) {
      return;
    }
    for (var user : KubeConfigUtils.parseConfig(file).getUsers()) {
      String tokenFile = user.getUser() == null ? null : user.getUser().getTokenFile();
      if (tokenFile != null && user.getName().equals(current.getContext().getUser())) {
        Path path = file.toPath().toAbsolutePath().resolveSibling(tokenFile);
        try {
          config.setAutoOAuthToken(Files.readString(path));
        } catch (IOException e) {
          throw new NoClusterException("Cannot read the tokenFile " + path);
        }
      }
    }
  }
}
