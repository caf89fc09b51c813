package dev.nodekeeper.telemetry;

/** Every metric of ours: the name as it is scraped, its labels and what it means. */
public enum Metric {
  OWNED(
      "nodekeeper_owned_nodes",
      "role, state",
      "Nodes that are this replica's, by state, and records of its nodes that are away: they add up over replicas"),
  PENDING_AGE(
      "nodekeeper_pending_age_seconds",
      "role, state",
      "How long the one of them that waits longest in that state has waited"),
  RESTORE_SECONDS(
      "nodekeeper_restore_seconds",
      "",
      "From a node's registration, or from when we found that it lacks something, until it was restored"),
  CAPTURE_SECONDS(
      "nodekeeper_capture_seconds", "", "From an edit or a deletion until the record had it"),
  CHANGES(
      "nodekeeper_content_changes_total",
      "class, kind",
      "Changes that others made to what is kept of this replica's nodes"),
  DECISIONS("nodekeeper_decisions_total", "decision", "Decisions about this replica's nodes"),
  REQUESTS("nodekeeper_requests_total", "purpose, outcome", "API requests for nodes and records"),
  RESPONSES(
      "nodekeeper_responses_total",
      "call, code",
      "What the API server answered to them: the HTTP status"),
  REQUEST_SECONDS(
      "nodekeeper_request_seconds",
      "purpose",
      "How long requests took, waiting for a place included"),
  RESTORES("nodekeeper_restores_total", "", "Nodes that got back what they had lost"),
  RESTORED_KEYS(
      "nodekeeper_restored_keys_total", "kind", "Labels, taints, annotations, cordons given back"),
  CAPTURES("nodekeeper_captures_total", "", "Records written because of what is on a node"),
  CREATED("nodekeeper_record_creations_total", "", "Records made"),
  REMOVED(
      "nodekeeper_record_removals_total", "", "Records deleted: empty ones, and forgotten ones"),
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
  RECORD_SIZE("nodekeeper_records_bytes", "", "Size of all records together"),
  LARGEST_RECORD("nodekeeper_largest_record_bytes", "", "Size of the largest record"),
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
  SHARDS("nodekeeper_shards", "role", "Shards that there are"),
  SHARDS_OWNED("nodekeeper_shards_owned", "role", "Shards that are this replica's"),
  LEASE_STATE(
      "nodekeeper_lease_state",
      "role, state",
      "1 for what it is: owner (of at least one shard), standby, or alone (without leases it does everything)"),
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
