package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What people are told about an Echo")
final class StatusOfTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:00:00.5Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  @Test
  @DisplayName("all pods ready: available, settled, not degraded, with numbers and node port")
  void fine() {
    var status = of(Samples.echo("e", "t", 2), deployment(2, 2, "True"), NOW);
    assertThat(status.observedGeneration()).isEqualTo(1);
    assertThat(status.readyReplicas()).isEqualTo(2);
    assertThat(status.nodePort()).isEqualTo(30000);
    assertThat(status.selector()).isEqualTo("test.com/app=e");
    assertThat(words(status))
        .containsExactly(
            "Available True EnoughPods", "Progressing False Settled", "Degraded False AsExpected");
    assertThat(status.conditions())
        .allMatch(each -> each.lastTransitionTime().equals("2026-01-01T10:00:00Z"));
  }

  @Test
  @DisplayName("the counts of an older generation do not count")
  void olderGeneration() {
    var stale =
        new DeploymentBuilder(deployment(2, 2, "True"))
            .editMetadata()
            .withGeneration(8L)
            .endMetadata()
            .build();
    assertThat(words(of(Samples.echo("e", "t", 2), stale, NOW)))
        .contains("Progressing True RollingOut");
  }

  @Test
  @DisplayName("a transition time moves when the answer does, not when only its reason does")
  void transitionTimes() {
    var echo = Samples.echo("e", "t", 2);
    echo.setStatus(of(echo, deployment(2, 0, "False"), NOW));
    var status = of(echo, deployment(2, 1, "False"), LATER);
    assertThat(time(status, "Available")).isEqualTo("2026-01-01T10:00:00Z");
    assertThat(time(status, "Progressing")).isEqualTo("2026-01-01T10:00:00Z");
    echo.setStatus(status);
    status = of(echo, deployment(2, 2, "True"), LATER);
    assertThat(time(status, "Available")).isEqualTo("2026-01-01T10:01:00Z");
    assertThat(time(status, "Degraded")).isEqualTo("2026-01-01T10:00:00Z");
    echo.setStatus(status);
    assertThat(of(echo, deployment(2, 2, "True"), LATER.plusSeconds(60))).isEqualTo(status);
  }

  @Test
  @DisplayName("problems and a failing rollout make it Degraded, in their own words")
  void degraded() {
    var echo = Samples.echo("e", "t", 2);
    var problems =
        List.of(new Problem("Forbidden", "may not"), new Problem("ForeignChild", "theirs"));
    var status = new StatusOf(echo, Optional.empty(), Optional.empty(), problems, NOW).status();
    assertThat(words(status)).contains("Available False NoDeployment", "Degraded True Forbidden");
    assertThat(status.condition("Degraded").orElseThrow().message()).isEqualTo("may not; theirs");
    var failing =
        new DeploymentBuilder(deployment(2, 1, "True"))
            .editStatus()
            .addNewCondition()
            .withType("Progressing")
            .withStatus("False")
            .withMessage("took too long")
            .endCondition()
            .endStatus()
            .build();
    status = of(echo, failing, NOW);
    assertThat(words(status)).contains("Degraded True RolloutFailed");
    assertThat(status.condition("Degraded").orElseThrow().message()).isEqualTo("took too long");
  }

  @Test
  @DisplayName("settled is only what we could write as the spec wants it")
  void notSettled() {
    var refused = List.of(new Problem("Forbidden", "may not"));
    var status =
        new StatusOf(
                Samples.echo("e", "t", 2),
                Optional.of(deployment(2, 2, "True")),
                Optional.of(service()),
                refused,
                NOW)
            .status();
    assertThat(words(status))
        .containsExactly(
            "Available True EnoughPods", "Progressing True RollingOut", "Degraded True Forbidden");
  }

  private static EchoStatus of(Echo echo, Deployment deployment, Instant now) {
    return new StatusOf(echo, Optional.of(deployment), Optional.of(service()), List.of(), now)
        .status();
  }

  private static Service service() {
    return new ServiceBuilder()
        .withNewSpec()
        .addNewPort()
        .withPort(5678)
        .withNodePort(30000)
        .endPort()
        .endSpec()
        .build();
  }

  private static Deployment deployment(int wanted, int ready, String available) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withGeneration(7L)
        .endMetadata()
        .withNewSpec()
        .withReplicas(wanted)
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(7L)
        .withReplicas(wanted)
        .withUpdatedReplicas(wanted)
        .withReadyReplicas(ready)
        .withAvailableReplicas(ready)
        .addNewCondition()
        .withType("Available")
        .withStatus(available)
        .endCondition()
        .endStatus()
        .build();
  }

  private static List<String> words(EchoStatus status) {
    return status.conditions().stream()
        .map(each -> each.type() + " " + each.status() + " " + each.reason())
        .toList();
  }

  private static String time(EchoStatus status, String type) {
    return status.condition(type).orElseThrow().lastTransitionTime();
  }
}
