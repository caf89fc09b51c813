package dev.nodekeeper.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.api.Reply;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.NodeReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswersTest {
  private static final NodeRecord RECORD = NodeRecord.none("n");
  private static final Effect.Request MERGE = patch("application/merge-patch+json");
  private static final Effect.Request JSON = patch("application/json-patch+json");
  private static final Effect.Request CREATE =
      new Effect.CreateRecord("n", Map.of(), RECORD, Purpose.CREATE);
  private static final Effect.Request UPDATE =
      new Effect.UpdateRecord("n", Map.of(), RECORD, Purpose.CAPTURE);

  private static final String TEST_FAILED =
      """
      {"kind":"Status","message":"the server rejected our request due to an error in our request",\
      "reason":"Invalid","details":{},"code":422}""";
  private static final String OTHER_UID =
      """
      {"kind":"Status","reason":"Invalid","code":422,"details":{"causes":[\
      {"field":"metadata.labels"},{"field":"metadata.uid"}]}}""";
  private static final String BAD_LABEL =
      """
      {"kind":"Status","reason":"Invalid","code":422,"details":{"causes":[\
      {"field":"metadata.labels"}]}}""";

  private final Answers answers = new Answers(new NodeReader(Policy.DEFAULT));

  @Test
  @DisplayName("2xx: ok, with uid and resourceVersion of the reply")
  void ok() {
    String body = "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"9\"}}";

    assertThat(outcome(MERGE, 200, body)).isEqualTo(new Outcome.Ok(new Origin("u", 9, "")));
    assertThat(outcome(CREATE, 201, body)).isEqualTo(new Outcome.Ok(new Origin("u", 9, "")));
    assertThat(outcome(new Effect.DeleteRecord("n", RECORD), 200, "{}"))
        .isEqualTo(new Outcome.Ok(Origin.NONE));
  }

  @Test
  @DisplayName("2xx that cannot be read: unknown, so that the Keeper looks again")
  void garbage() {
    assertThat(outcome(MERGE, 200, "<html>")).isInstanceOf(Outcome.Unknown.class);
    assertThat(outcome(CREATE, 201, "{}")).isInstanceOf(Outcome.Unknown.class);
  }

  @ParameterizedTest
  @CsvSource({
    "400,Refused", "401,Unknown", "403,Refused", "404,Gone", "408,Unknown", "409,Conflict",
    "413,Refused", "422,Refused", "429,Unknown", "500,Unknown", "503,Unknown", "302,Unknown"
  })
  @DisplayName("status codes of a record update")
  void codes(int status, String outcome) {
    assertThat(outcome(UPDATE, status, "{}").getClass().getSimpleName()).isEqualTo(outcome);
  }

  @Test
  @DisplayName("422: a failed precondition is a conflict, anything else is refused")
  void unprocessable() {
    assertThat(outcome(JSON, 422, TEST_FAILED)).isInstanceOf(Outcome.Conflict.class);
    assertThat(outcome(MERGE, 422, OTHER_UID)).isInstanceOf(Outcome.Conflict.class);
    assertThat(outcome(JSON, 422, OTHER_UID)).isInstanceOf(Outcome.Conflict.class);
    assertThat(outcome(JSON, 422, BAD_LABEL)).isInstanceOf(Outcome.Refused.class);
    assertThat(outcome(MERGE, 422, BAD_LABEL)).isInstanceOf(Outcome.Refused.class);
    assertThat(outcome(MERGE, 422, TEST_FAILED)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  @DisplayName("what etcd finds too large is refused, though the code says 500")
  void tooLarge() {
    String body = "{\"code\":500,\"message\":\"etcdserver: request is too large\"}";

    assertThat(outcome(JSON, 500, body)).isInstanceOf(Outcome.Refused.class);
    assertThat(outcome(UPDATE, 500, body)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  @DisplayName("a create that finds no namespace, or one that is leaving, is to be tried again")
  void namespace() {
    String leaving =
        """
        {"reason":"Forbidden","code":403,"message":"configmaps \\"n\\" is forbidden: unable to \
        create new content in namespace x because it is being terminated"}""";

    assertThat(outcome(CREATE, 404, "{}")).isInstanceOf(Outcome.Unknown.class);
    assertThat(outcome(CREATE, 403, leaving)).isInstanceOf(Outcome.Unknown.class);
    assertThat(outcome(CREATE, 403, "{}")).isInstanceOf(Outcome.Refused.class);
    assertThat(Answers.namespaceMissing(CREATE, reply(403, leaving))).isTrue();
    assertThat(Answers.namespaceMissing(CREATE, reply(403, "{}"))).isFalse();
    assertThat(Answers.namespaceMissing(UPDATE, reply(404, "{}"))).isFalse();
  }

  @Test
  @DisplayName("Retry-After reaches the Keeper")
  void retryAfter() {
    Reply reply = new Reply(429, "{}".getBytes(StandardCharsets.UTF_8), Duration.ofSeconds(3));

    assertThat(((Input.Done) answers.of(UPDATE, reply)).outcome())
        .isEqualTo(new Outcome.Unknown("429", 3000));
  }

  @Test
  @DisplayName("reads: 404 is an answer, an error is not 'gone'")
  void reads() {
    Effect.ReadNode node = new Effect.ReadNode("n");
    Effect.ReadRecord record = new Effect.ReadRecord("n");

    assertThat(answers.of(node, reply(404, "{}")))
        .isEqualTo(new Input.NodeRead(node, Optional.empty()));
    assertThat(answers.of(record, reply(404, "{}")))
        .isEqualTo(new Input.RecordRead(record, Optional.empty()));
    assertThat(answers.of(node, reply(403, "{}"))).isInstanceOf(Input.Done.class);
    assertThat(answers.of(record, reply(500, "{}"))).isInstanceOf(Input.Done.class);
    assertThat(answers.of(node, reply(200, "nonsense"))).isInstanceOf(Input.Done.class);
  }

  private Outcome outcome(Effect.Request request, int status, String body) {
    return ((Input.Done) answers.of(request, reply(status, body))).outcome();
  }

  private static Reply reply(int status, String body) {
    return new Reply(status, body.getBytes(StandardCharsets.UTF_8), Duration.ZERO);
  }

  private static Effect.Request patch(String contentType) {
    return new Effect.PatchNode("n", "u", 1, contentType, "{}", Purpose.RESTORE);
  }
}
