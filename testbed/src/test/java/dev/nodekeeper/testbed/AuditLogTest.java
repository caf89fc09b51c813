package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The audit log counts requests, not lines")
class AuditLogTest {

  @TempDir Path folder;

  @Test
  @DisplayName("the lines of one request are one request, with the latest facts")
  void oneRequest() {
    write(line("1", "RequestReceived", 0) + line("1", "ResponseComplete", 201));
    assertThat(log().requests("keeper"))
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.code()).isEqualTo(201);
              assertThat(request.what()).isEqualTo("patch nodes/status");
              assertThat(request.name()).isEqualTo("a");
            });
    assertThat(log().count("somebody-else")).isZero();
  }

  @Test
  @DisplayName("a request that arrived before the mark stays before it")
  void mark() {
    write(line("1", "RequestReceived", 0));
    var mark = log().mark();
    write(line("1", "ResponseComplete", 200));
    write(line("2", "RequestReceived", 0) + line("2", "ResponseComplete", 200));
    assertThat(log().since(mark).requests("keeper"))
        .extracting(AuditLog.Request::id)
        .containsExactly("2");
    assertThat(log().tally("keeper")).containsEntry("patch nodes/status", 2L);
  }

  @Test
  @DisplayName("a line that is just being written is left for later")
  void halfLine() {
    write(line("1", "RequestReceived", 0) + line("1", "ResponseComplete", 200));
    write(line("2", "RequestReceived", 0).substring(0, 40));
    assertThat(log().count("keeper")).isEqualTo(1);
  }

  @Test
  @DisplayName("what a killed server left unanswered is counted, and not waited for")
  void unanswered() {
    write(line("1", "RequestReceived", 0));
    assertThat(log().requests("keeper"))
        .singleElement()
        .extracting(AuditLog.Request::code)
        .isEqualTo(0);
  }

  @Test
  @DisplayName("reading waits for the answer of a request that a living server has received")
  void waitsForTheAnswer() {
    write(line("1", "RequestReceived", 0));
    // The log asks this only about a request without an answer: then the answer arrives.
    Supplier<Instant> servingSince =
        () -> {
          write(line("1", "ResponseComplete", 200));
          return Instant.MIN;
        };
    assertThat(AuditLog.of(folder.resolve("audit.jsonl"), servingSince).requests("keeper"))
        .singleElement()
        .extracting(AuditLog.Request::code)
        .isEqualTo(200);
  }

  private AuditLog log() {
    return AuditLog.of(folder.resolve("audit.jsonl"), () -> Instant.MAX);
  }

  private void write(String text) {
    try {
      Files.writeString(
          folder.resolve("audit.jsonl"),
          text,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String line(String id, String stage, int code) {
    return """
        {"auditID":"%s","stage":"%s","verb":"patch","user":{"username":"keeper"},\
        "requestURI":"/api/v1/nodes/a/status","requestReceivedTimestamp":"2026-01-01T00:00:00.000001Z",\
        "objectRef":{"resource":"nodes","subresource":"status","name":"a"},\
        "responseStatus":{"code":%d}}
        """
        .formatted(id, stage, code);
  }
}
