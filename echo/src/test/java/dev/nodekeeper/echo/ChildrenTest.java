package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What an Echo becomes")
final class ChildrenTest {

  @Test
  @DisplayName("replicas that are not in the spec are not in the Deployment either")
  void replicas() {
    assertThat(Children.deployment(Samples.echo("e", "t", 2)).getSpec().getReplicas()).isEqualTo(2);
    assertThat(Children.deployment(Samples.echo("e", "t", null)).getSpec().getReplicas()).isNull();
  }

  @ParameterizedTest
  @MethodSource("dev.nodekeeper.echo.Samples#texts")
  @DisplayName("the program gets the text as it was written")
  void text(String text) {
    var args = Samples.container(Samples.echo("e", text, 1)).getArgs();
    assertThat(args).hasSize(1);
    assertThat(Kubelet.expand(args.getFirst())).isEqualTo("-text=" + text);
  }

  @Test
  @DisplayName("both children are labelled, owned and selected by the Echo's name and uid")
  void identity() {
    var echo = Samples.echo("e", "t", 1);
    for (var child : List.of(Children.deployment(echo), Children.service(echo))) {
      assertThat(child.getMetadata().getLabels()).containsEntry("test.com/app", "e");
      assertThat(child.getMetadata().getOwnerReferences())
          .extracting(OwnerReference::getUid, OwnerReference::getController)
          .containsExactly(tuple("uid-e", true));
      assertThat(Children.owns(echo, child)).isTrue();
      echo.getMetadata().setUid("another life");
      assertThat(Children.owns(echo, child)).isFalse();
      echo.getMetadata().setUid("uid-e");
    }
    assertThat(Children.service(echo).getSpec().getSelector()).containsEntry("test.com/app", "e");
  }

  @Test
  @DisplayName("the node port is the API server's choice")
  void nodePort() {
    var port = Children.service(Samples.echo("e", "t", 1)).getSpec().getPorts().getFirst();
    assertThat(port.getPort()).isEqualTo(5678);
    assertThat(port.getNodePort()).isNull();
  }

  @Test
  @DisplayName("one Echo's Deployment is nothing to another's")
  void templatesAreNotShared() {
    var first = Children.deployment(Samples.echo("a", "first", 1));
    Children.deployment(Samples.echo("b", "second", 2));
    assertThat(first.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs())
        .containsExactly("-text=first");
  }
}
