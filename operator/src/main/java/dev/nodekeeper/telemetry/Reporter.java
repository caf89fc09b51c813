package dev.nodekeeper.telemetry;

import dev.nodekeeper.core.keep.Effect.Facts;
import dev.nodekeeper.core.keep.Effect.Report;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Tells people what the Keeper has to say: always in the log, where it needs them as an event. */
public final class Reporter implements Consumer<Report> {
  private static final Logger LOG = LoggerFactory.getLogger("dev.nodekeeper.report");

  private final Metrics metrics;
  private final Consumer<Report> events;

  public Reporter(Metrics metrics, Consumer<Report> events) {
    this.metrics = metrics;
    this.events = events;
  }

  @Override
  public void accept(Report report) {
    metrics.reported(report);
    log(report);
    if (report.event()) {
      events.accept(report);
    }
  }

  /** One line, and for machines what it is about as fields of their own. */
  private static void log(Report report) {
    Level level =
        switch (report.reason().level()) {
          case DETAIL -> Level.DEBUG;
          case NOTICE -> Level.INFO;
          case WARNING -> Level.WARN;
        };
    LoggingEventBuilder line = LOG.atLevel(level).addKeyValue("reason", report.reason().word());
    String subject = "cluster";
    if (!report.node().isEmpty()) {
      subject = "node " + report.node();
      line = line.addKeyValue("node", report.node());
    }
    Facts facts = report.facts();
    if (facts.version() > 0) {
      line = line.addKeyValue("version", facts.version());
    }
    if (!facts.uid().isEmpty()) {
      line = line.addKeyValue("uid", facts.uid());
    }
    if (!facts.gift().from().isEmpty()) {
      line = line.addKeyValue("was", facts.gift().from());
    }
    line.log("{} {}: {}", report.reason().word(), subject, report.message());
  }
}
