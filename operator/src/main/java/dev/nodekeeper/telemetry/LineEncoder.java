package dev.nodekeeper.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.config.LogFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.event.KeyValuePair;

/** One log record, one line, whatever is in it: names and values come from strangers. */
final class LineEncoder extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};
  private final LogFormat format;

  LineEncoder(LogFormat format) {
    this.format = format;
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String line =
        switch (format) {
          case TEXT -> text(event);
          case JSON -> json(event);
        };
    return (line + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String text(ILoggingEvent event) {
    String trace = trace(event.getThrowableProxy());
    return "%s %-5s %-10s %s%s"
        .formatted(
            time(event),
            event.getLevel(),
            part(event),
            escaped(event.getFormattedMessage()),
            trace.isEmpty() ? "" : " | " + escaped(trace));
  }

  /** With the fields that a line has: people have them in the message. */
  private static String json(ILoggingEvent event) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("time", time(event))
        .put("level", event.getLevel().toString())
        .put("part", part(event))
        .put("message", escaped(event.getFormattedMessage()));
    List<KeyValuePair> fields = event.getKeyValuePairs();
    for (KeyValuePair field : fields == null ? List.<KeyValuePair>of() : fields) {
      if (field.value instanceof Long number) {
        json.put(field.key, number);
      } else {
        json.put(field.key, escaped(String.valueOf(field.value)));
      }
    }
    String trace = trace(event.getThrowableProxy());
    if (!trace.isEmpty()) {
      json.put("error", escaped(trace));
    }
    return json.toString();
  }

  private static String time(ILoggingEvent event) {
    return Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** The last word of the package: watch, effect, loop... */
  private static String part(ILoggingEvent event) {
    String[] words = event.getLoggerName().split("\\.", -1);
    return words.length > 2 && words[0].equals("dev") ? words[2] : words[words.length - 1];
  }

  private static String trace(IThrowableProxy error) {
    StringBuilder text = new StringBuilder();
    for (IThrowableProxy e = error; e != null; e = e.getCause()) {
      text.append(text.isEmpty() ? "" : " caused by ").append(e.getClassName());
      text.append(": ").append(e.getMessage());
      for (StackTraceElementProxy frame : e.getStackTraceElementProxyArray()) {
        text.append(' ').append(frame.getSTEAsString());
      }
    }
    return text.toString();
  }

  /** Control characters, line and paragraph separators, and what turns the writing direction. */
  static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean odd =
          Character.isISOControl(c)
              || c == '\u2028'
              || c == '\u2029'
              || Character.getType(c) == Character.FORMAT
              || (Character.isSurrogate(c) && !paired(text, i));
      if (odd) {
        safe.append("\\u%04x".formatted((int) c));
      } else {
        safe.append(c);
      }
    }
    return safe.toString();
  }

  private static boolean paired(String text, int i) {
    char c = text.charAt(i);
    return Character.isHighSurrogate(c)
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
