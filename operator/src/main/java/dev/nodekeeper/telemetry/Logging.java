package dev.nodekeeper.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.nodekeeper.config.LogFormat;
import dev.nodekeeper.config.LogLevel;
import org.slf4j.LoggerFactory;

/**
 * Sets up the log: lines on standard error, because standard output belongs to commands.
 *
 * <p>Found by logback as its configurator, so that no line is lost or loud before the settings are
 * read, and no XML is parsed at start.
 */
public final class Logging extends ContextAwareBase implements Configurator {

  public static void configure(LogLevel level, LogFormat format) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      apply(context, level, format);
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    apply(context, LogLevel.INFO, LogFormat.TEXT);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static void apply(LoggerContext context, LogLevel level, LogFormat format) {
    LineEncoder encoder = new LineEncoder(format);
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(appender);
    // Libraries stay quiet at our debug level: theirs would bury ours.
    root.setLevel(level.compareTo(LogLevel.INFO) > 0 ? Level.INFO : Level.toLevel(level.name()));
    context.getLogger("dev.nodekeeper").setLevel(Level.toLevel(level.name()));
    context.getLogger("io.fabric8").setLevel(Level.WARN);
  }
}
