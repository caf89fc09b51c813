package dev.nodekeeper.echo;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code kubectl describe echo} lists at its end. */
record Events(KubernetesClient client, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  /** An event is a courtesy: work does not fail with it. */
  void send(Echo echo, String type, String reason, String message) {
    var about = echo.getMetadata();
    var now = clock.instant().toString();
    var event =
        new EventBuilder()
            .withNewMetadata()
            .withGenerateName(about.getName() + ".")
            .withNamespace(about.getNamespace())
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(echo.getApiVersion())
            .withKind(echo.getKind())
            .withNamespace(about.getNamespace())
            .withName(about.getName())
            .withUid(about.getUid())
            .endInvolvedObject()
            .withType(type)
            .withReason(reason)
            .withMessage(message)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withNewSource(EchoReconciler.OPERATOR, null)
            .build();
    try {
      client.resource(event).create();
    } catch (KubernetesClientException e) {
      LOG.warn("no event about {}/{}: {}", about.getNamespace(), about.getName(), e.getMessage());
    }
  }
}
