package dev.nodekeeper.telemetry;

import dev.nodekeeper.core.keep.Effect.Report;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    metrics.reported(report.reason());
    String subject = report.node().isEmpty() ? "cluster" : "node " + report.node();
    String word = report.reason().word();
    switch (report.reason().level()) {
      case DETAIL -> LOG.debug("{} {}: {}", word, subject, report.message());
      case NOTICE -> LOG.info("{} {}: {}", word, subject, report.message());
      case WARNING -> LOG.warn("{} {}: {}", word, subject, report.message());
    }
    if (report.reason().event() && !report.node().isEmpty()) {
      events.accept(report);
    }
  }
}
