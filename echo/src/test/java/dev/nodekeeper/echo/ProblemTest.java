package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a failed request says about an Echo")
final class ProblemTest {

  private record Attempts(int getAttemptCount) implements RetryInfo {
    @Override
    public boolean isLastAttempt() {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "403, 0, Forbidden",
    "422, 0, Refused",
    "404, 0, Refused",
    "500, 3, Failing",
    "503, 9, Failing",
    "429, 3, Failing"
  })
  @DisplayName("a refusal is a problem at once, a server in trouble after some attempts")
  void problem(int code, int attempts, String reason) {
    assertThat(Problem.of(answer(code), Optional.of(new Attempts(attempts))))
        .isEqualTo(new Problem(reason, "words of the server"));
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 429, 500, 503})
  @DisplayName("what passes by itself is tried again")
  void passes(int code) {
    var answer = answer(code);
    assertThatThrownBy(() -> Problem.of(answer, Optional.empty())).isSameAs(answer);
  }

  @Test
  @DisplayName("so is a request without an answer, however often")
  void noAnswer() {
    var silence = new KubernetesClientException("timeout");
    assertThatThrownBy(() -> Problem.of(silence, Optional.of(new Attempts(9)))).isSameAs(silence);
  }

  private static KubernetesClientException answer(int code) {
    return new KubernetesClientException(
        "PATCH failed",
        code,
        new StatusBuilder().withCode(code).withMessage("words of the server").build());
  }
}
