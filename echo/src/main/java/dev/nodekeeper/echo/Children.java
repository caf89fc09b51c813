package dev.nodekeeper.echo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Objects;

/**
 * What an Echo becomes: two templates ({@code deployment.yaml}, {@code service.yaml}) and what
 * differs from Echo to Echo. Pure functions, so that a test needs no cluster.
 */
final class Children {
  static final String LABEL = "test.com/app";
  static final String IMAGE = "hashicorp/http-echo:1.0.0";

  private static final Deployment DEPLOYMENT = template("deployment.yaml", Deployment.class);
  private static final Service SERVICE = template("service.yaml", Service.class);

  private Children() {}

  static Deployment deployment(Echo echo) {
    var spec = echo.getSpec();
    return new DeploymentBuilder(DEPLOYMENT)
        .withMetadata(metadata(echo))
        .editSpec()
        // Null means: not in our request, so not ours.
        .withReplicas(spec.replicas())
        .withNewSelector()
        .withMatchLabels(labels(echo))
        .endSelector()
        .editTemplate()
        .withNewMetadata()
        .withLabels(labels(echo))
        .endMetadata()
        .editSpec()
        .editFirstContainer()
        .withImage(Objects.requireNonNullElse(spec.image(), IMAGE))
        .withArgs("-text=" + escape(spec.text()))
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  static Service service(Echo echo) {
    return new ServiceBuilder(SERVICE)
        .withMetadata(metadata(echo))
        .editSpec()
        .withType(echo.getSpec().serviceType().name())
        .withSelector(labels(echo))
        .endSpec()
        .build();
  }

  /**
   * The kubelet replaces $(NAME) in args and reads $$ as $: doubled, every $ comes out as it was.
   */
  static String escape(String text) {
    return text.replace("$", "$$");
  }

  /** A name is not enough: an Echo that was deleted and made anew owns nothing of its past life. */
  static boolean owns(Echo echo, HasMetadata child) {
    return child.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> owner.getUid().equals(echo.getMetadata().getUid()));
  }

  private static Map<String, String> labels(Echo echo) {
    return Map.of(LABEL, echo.getMetadata().getName());
  }

  private static ObjectMeta metadata(Echo echo) {
    return new ObjectMetaBuilder()
        .withName(echo.getMetadata().getName())
        .withNamespace(echo.getMetadata().getNamespace())
        .withLabels(labels(echo))
        .addNewOwnerReference()
        .withApiVersion(echo.getApiVersion())
        .withKind(echo.getKind())
        .withName(echo.getMetadata().getName())
        .withUid(echo.getMetadata().getUid())
        .withController(true)
        .endOwnerReference()
        .build();
  }

  private static <T extends HasMetadata> T template(String file, Class<T> type) {
    return Serialization.unmarshal(Children.class.getResourceAsStream(file), type);
  }
}
