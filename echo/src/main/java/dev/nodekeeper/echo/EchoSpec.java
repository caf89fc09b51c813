package dev.nodekeeper.echo;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import org.jspecify.annotations.Nullable;

/**
 * What people want. The rules are CEL and not {@code minimum} or {@code maxLength}, because only
 * CEL lets us choose the words of the refusal.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EchoSpec(
    @JsonPropertyDescription("How many pods. Absent: whoever scales the Deployment decides.")
        @SpecReplicas
        @PrinterColumn(name = "Replicas")
        @ValidationRule(
            value = "self >= 0 && self <= 100",
            message = "replicas must be between 0 and 100")
        @Nullable Integer replicas,
    @JsonPropertyDescription("What is answered to every request.")
        @Required
        @PrinterColumn(name = "Text")
        @ValidationRule(
            value = "size(self) >= 1 && size(self) <= 4096",
            message = "text must have 1 to 4096 characters")
        @ValidationRule(
            value = "!self.contains('\\u0000')",
            message = "text must not contain NUL: no program can be started with it")
        String text,
    @JsonPropertyDescription("Another image of http-echo. Absent: the one this operator knows.")
        @ValidationRule(
            value = "self.matches('^[^ \\\\t\\\\n]+$')",
            message = "image must be the name of an image, without spaces")
        @Nullable String image,
    @JsonPropertyDescription("How the Service is reached.") @Default("NodePort")
        ServiceType serviceType) {

  /** The types of Service that make sense here, spelled as Kubernetes does. */
  public enum ServiceType {
    NodePort,
    ClusterIP,
    LoadBalancer
  }
}
