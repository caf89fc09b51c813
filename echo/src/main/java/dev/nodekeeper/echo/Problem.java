package dev.nodekeeper.echo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Why an Echo is Degraded: one word for machines, one sentence for people. */
record Problem(String reason, String message) {

  /**
   * What passes by itself (a stale read, a busy server) is no problem: thrown, it is tried again.
   */
  static Problem of(KubernetesClientException e) {
    var code = e.getCode();
    if (code == 0 || code == 409 || code == 429 || code >= 500) {
      throw e;
    }
    return new Problem(code == 403 ? "Forbidden" : "Refused", e.getStatus().getMessage());
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
