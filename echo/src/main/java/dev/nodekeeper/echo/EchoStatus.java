package dev.nodekeeper.echo;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What we found, and which generation of the spec we were looking at. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EchoStatus(
    @JsonPropertyDescription("The generation of the spec that this status is about.")
        long observedGeneration,
    @JsonPropertyDescription("Pods there are, as a HorizontalPodAutoscaler wants to know.")
        @StatusReplicas
        int replicas,
    @JsonPropertyDescription("Pods that answer.") @PrinterColumn(name = "Ready") int readyReplicas,
    @JsonPropertyDescription("The port that every node listens on, if the Service has one.")
        @PrinterColumn(name = "NodePort")
        @Nullable Integer nodePort,
    @JsonPropertyDescription("Our pods, as a HorizontalPodAutoscaler wants to know.") @LabelSelector
        String selector,
    List<Condition> conditions) {

  /** One line of {@code kubectl describe}: is it so, since when, and why. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Condition(
      @Required String type,
      @Required String status,
      @Required String reason,
      @Required String message,
      @Required String lastTransitionTime) {}

  Optional<Condition> condition(String type) {
    return conditions.stream().filter(each -> each.type().equals(type)).findFirst();
  }
}
