package dev.nodekeeper.telemetry;

/** Every metric of ours: the name as it is scraped, its labels and what it means. */
public enum Metric {
  REQUESTS("nodekeeper_requests_total", "purpose, outcome", "API requests for nodes and records"),
  REQUEST_SECONDS(
      "nodekeeper_request_seconds",
      "purpose",
      "How long requests took, waiting for a place included"),
  RESTORES("nodekeeper_restores_total", "", "Nodes that got back what they had lost"),
  CAPTURES("nodekeeper_captures_total", "", "Records written because of what is on a node"),
  CONFLICTS("nodekeeper_conflicts_total", "", "Requests that came too late and were decided anew"),
  WATCH_EVENTS("nodekeeper_watch_events_total", "resource, type", "Events received"),
  RELISTS("nodekeeper_relists_total", "resource", "Watches that had to begin with a list again"),
  UNREADABLE("nodekeeper_unreadable_objects_total", "resource", "Events that could not be read"),
  WATCH_AGE(
      "nodekeeper_watch_age_seconds", "resource", "Time since the API server was last heard of"),
  REPORTS("nodekeeper_reports_total", "reason", "What people were told, by reason"),
  EVENTS(
      "nodekeeper_events_total", "result", "Kubernetes events: posted, repeated, dropped, failed"),
  NODES("nodekeeper_nodes", "", "Nodes there are"),
  RECORDS("nodekeeper_records", "", "Records there are"),
  RECORD_SIZE("nodekeeper_records_characters", "", "Size of all records together"),
  LARGEST_RECORD("nodekeeper_largest_record_characters", "", "Size of the largest record"),
  ORPHANS("nodekeeper_orphaned_records", "", "Records whose node is not there"),
  UNREADABLE_RECORDS(
      "nodekeeper_unreadable_records", "", "ConfigMaps in our namespace that are no record"),
  TOMBSTONES("nodekeeper_tombstones", "", "Deleted nodes whose last state still matters"),
  IN_FLIGHT("nodekeeper_in_flight", "", "Requests under way"),
  WAITING("nodekeeper_waiting", "", "Nodes with something to do that must wait"),
  WAITING_AGE(
      "nodekeeper_waiting_age_seconds", "", "How long the one that waits longest has waited"),
  WINDOW(
      "nodekeeper_window",
      "",
      "Requests allowed at once: fewer than --writers while the API server cannot keep up"),
  WITHHELD("nodekeeper_withheld_nodes", "", "Nodes with keys that were left out on purpose"),
  SHARDS("nodekeeper_shards_owned", "", "Shards of the nodes that are this replica's"),
  REPLICAS("nodekeeper_replicas", "", "Replicas that share the nodes, as this one sees it"),
  LEASE_FAILURES(
      "nodekeeper_lease_failures_total", "", "Requests for a lease without a useful answer"),
  INBOX("nodekeeper_inbox_size", "", "Inputs that wait for the Keeper"),
  LAG("nodekeeper_loop_lag_seconds", "", "How long inputs waited for the Keeper"),
  KEEPER_FAILURES(
      "nodekeeper_keeper_failures_total", "", "Inputs on which the Keeper threw: a bug"),
  BUILD("nodekeeper_build", "version", "Always 1");

  private final String scraped;
  private final String labels;
  private final String meaning;

  Metric(String scraped, String labels, String meaning) {
    this.scraped = scraped;
    this.labels = labels;
    this.meaning = meaning;
  }

  /** As Prometheus sees it. */
  public String scraped() {
    return scraped;
  }

  public String labels() {
    return labels;
  }

  public String meaning() {
    return meaning;
  }
}
