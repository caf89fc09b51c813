package dev.nodekeeper.echo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import java.util.Optional;

/** Why an Echo is Degraded: one word for machines, one sentence for people. */
record Problem(String reason, String message) {

  private static final int PATIENCE = 3;

  /**
   * What passes by itself is thrown, to be tried again: a stale read, a connection that broke, and
   * for a second also a server in trouble.
   */
  static Problem of(KubernetesClientException e, Optional<RetryInfo> retry) {
    var code = e.getCode();
    var failing = code == 429 || code >= 500;
    var attempts = retry.map(RetryInfo::getAttemptCount).orElse(0);
    // No status: not a word from the server.
    if (e.getStatus() == null || code == 409 || (failing && attempts < PATIENCE)) {
      throw e;
    }
    var reason = failing ? "Failing" : code == 403 ? "Forbidden" : "Refused";
    return new Problem(reason, e.getStatus().getMessage());
  }

  static Problem foreign(HasMetadata found) {
    return new Problem(
        "ForeignChild",
        "there is a %s %s that is not ours: rename one of the two, or delete that one"
            .formatted(found.getKind(), found.getMetadata().getName()));
  }

  static Problem stuck(HasMetadata child) {
    var about = child.getMetadata();
    return new Problem(
        "DeletionStuck",
        "%s %s is being deleted since %s, its finalizers: %s"
            .formatted(
                child.getKind(),
                about.getName(),
                about.getDeletionTimestamp(),
                about.getFinalizers()));
  }
}
