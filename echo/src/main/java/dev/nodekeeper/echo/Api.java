package dev.nodekeeper.echo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;

/**
 * Every write to the cluster. Each says which object it means, by uid or resourceVersion: what we
 * read may be gone, and another of the same name in its place.
 */
record Api(KubernetesClient client) {
  private static final String HAND_OVER = EchoReconciler.OPERATOR + "-hand-over";

  /** Not forced: what appeared there since we looked is somebody else's, and conflicts. */
  <T extends HasMetadata> T create(T wanted) {
    return client.resource(wanted).fieldManager(EchoReconciler.OPERATOR).serverSideApply();
  }

  /** Forced: about the fields that we name we are right. All others stay as they are. */
  <T extends HasMetadata> T apply(T wanted, T found) {
    if (wanted instanceof Deployment ours && found instanceof Deployment theirs) {
      letGoOfReplicas(ours, theirs);
    }
    wanted.getMetadata().setUid(found.getMetadata().getUid());
    return client
        .resource(wanted)
        .fieldManager(EchoReconciler.OPERATOR)
        .forceConflicts()
        .serverSideApply();
  }

  /**
   * A field that its last owner no longer names is reset: {@code replicas} would fall to 1. So
   * another name of ours owns the number first, until somebody scales the Deployment.
   */
  private void letGoOfReplicas(Deployment wanted, Deployment found) {
    var ours = found.getMetadata().getManagedFields().stream().anyMatch(Api::holdsReplicas);
    if (wanted.getSpec().getReplicas() == null && ours) {
      var number =
          new DeploymentBuilder()
              .withNewMetadata()
              .withName(found.getMetadata().getName())
              .withNamespace(found.getMetadata().getNamespace())
              .withUid(found.getMetadata().getUid())
              .endMetadata()
              .withNewSpec()
              .withReplicas(found.getSpec().getReplicas())
              .endSpec()
              .build();
      client.resource(number).fieldManager(HAND_OVER).serverSideApply();
    }
  }

  private static boolean holdsReplicas(ManagedFieldsEntry entry) {
    return EchoReconciler.OPERATOR.equals(entry.getManager())
        && entry.getFieldsV1() != null
        && entry.getFieldsV1().getAdditionalProperties().get("f:spec") instanceof Map<?, ?> spec
        && spec.containsKey("f:replicas");
  }

  /** In the foreground: the child goes after its own children, so that the last one is the last. */
  void delete(HasMetadata child) {
    var about = child.getMetadata();
    var options =
        Map.of("propagationPolicy", "Foreground", "preconditions", Map.of("uid", about.getUid()));
    var group = (child.getApiVersion().contains("/") ? "/apis/" : "/api/") + child.getApiVersion();
    var path =
        "%s/namespaces/%s/%s/%s"
            .formatted(group, about.getNamespace(), child.getPlural(), about.getName());
    try {
      client.raw(path, "DELETE", options);
    } catch (KubernetesClientException e) {
      // Gone is what we wanted; its deletion is on its way to us.
      if (e.getCode() != 404) {
        throw e;
      }
    }
  }

  /**
   * With the resourceVersion: transition times come from the status that we read, if it is still
   * the one.
   */
  void patchStatus(Echo echo, EchoStatus status) {
    var patch = new Echo();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(echo.getMetadata().getName())
            .withNamespace(echo.getMetadata().getNamespace())
            .withResourceVersion(echo.getMetadata().getResourceVersion())
            .build());
    patch.setStatus(status);
    client
        .resource(patch)
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(EchoReconciler.OPERATOR)
                .withForce(true)
                .build());
  }

  /**
   * By hand and not by the framework, which would take it from a new Echo of the same name, too.
   */
  void removeFinalizer(Echo echo) {
    var position = echo.getMetadata().getFinalizers().indexOf(EchoReconciler.FINALIZER);
    var patch =
        """
        [{"op": "test", "path": "/metadata/uid", "value": "%s"},
         {"op": "test", "path": "/metadata/finalizers/%d", "value": "%s"},
         {"op": "remove", "path": "/metadata/finalizers/%d"}]
        """
            .formatted(echo.getMetadata().getUid(), position, EchoReconciler.FINALIZER, position);
    client.resource(echo).patch(PatchContext.of(PatchType.JSON), patch);
  }
}
