package dev.nodekeeper.echo;

import dev.nodekeeper.echo.EchoStatus.Condition;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From what we see to what people are told: a pure function of its arguments. */
record StatusOf(
    Echo echo,
    Optional<Deployment> deployment,
    Optional<Service> service,
    List<Problem> problems,
    Instant now) {

  static final String DEGRADED = "Degraded";

  EchoStatus status() {
    var seen = deployment.map(Deployment::getStatus).orElseGet(DeploymentStatus::new);
    return new EchoStatus(
        Objects.requireNonNullElse(echo.getMetadata().getGeneration(), 0L),
        count(seen.getReplicas()),
        count(seen.getReadyReplicas()),
        service.stream()
            .flatMap(each -> each.getSpec().getPorts().stream())
            .map(ServicePort::getNodePort)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null),
        Children.LABEL + "=" + echo.getMetadata().getName(),
        List.of(available(seen), progressing(seen), degraded()));
  }

  private Condition available(DeploymentStatus seen) {
    if (deployment.isEmpty()) {
      return condition("Available", false, "NoDeployment", "there is no Deployment of ours");
    }
    var yes = says("Available", "True").isPresent();
    var message = "%d of %d pods are ready".formatted(count(seen.getReadyReplicas()), wanted());
    return condition("Available", yes, yes ? "EnoughPods" : "TooFewPods", message);
  }

  private Condition progressing(DeploymentStatus seen) {
    if (echo.isMarkedForDeletion()) {
      return condition("Progressing", true, "Deleting", "waiting for our children to go");
    }
    // The counts of an older generation say nothing about the one we asked for.
    var current =
        deployment.isPresent()
            && Objects.requireNonNullElse(seen.getObservedGeneration(), 0L)
                >= deployment.get().getMetadata().getGeneration();
    var settled =
        current
            && problems.isEmpty()
            && count(seen.getUpdatedReplicas()) == wanted()
            && count(seen.getReplicas()) == wanted()
            && count(seen.getAvailableReplicas()) == wanted();
    return settled
        ? condition("Progressing", false, "Settled", "all is as the spec wants it")
        : condition("Progressing", true, "RollingOut", "not all is as the spec wants it");
  }

  private Condition degraded() {
    var all = new ArrayList<>(problems);
    says("ReplicaFailure", "True")
        .or(() -> says("Progressing", "False"))
        .ifPresent(why -> all.add(new Problem("RolloutFailed", why.getMessage())));
    if (all.isEmpty()) {
      return condition(DEGRADED, false, "AsExpected", "nothing stands in our way");
    }
    var sentences = String.join("; ", all.stream().map(Problem::message).toList());
    return condition(DEGRADED, true, all.getFirst().reason(), sentences);
  }

  /** The time says since when the answer is what it is: it moves with the answer only. */
  private Condition condition(String type, boolean isTrue, String reason, String message) {
    var status = isTrue ? "True" : "False";
    var since =
        Optional.ofNullable(echo.getStatus())
            .flatMap(before -> before.condition(type))
            .filter(before -> before.status().equals(status))
            .map(Condition::lastTransitionTime)
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return new Condition(type, status, reason, message, since);
  }

  private Optional<DeploymentCondition> says(String type, String status) {
    return deployment.stream()
        .map(Deployment::getStatus)
        .filter(Objects::nonNull)
        .flatMap(seen -> seen.getConditions().stream())
        .filter(each -> each.getType().equals(type) && each.getStatus().equals(status))
        .findFirst();
  }

  private int wanted() {
    return count(deployment.orElseThrow().getSpec().getReplicas());
  }

  private static int count(@Nullable Integer number) {
    return Objects.requireNonNullElse(number, 0);
  }
}
