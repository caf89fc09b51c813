package dev.nodekeeper.testbed;

/** The kinds of patch the API server understands. */
public enum Patch {
  MERGE("application/merge-patch+json"),
  JSON("application/json-patch+json"),
  STRATEGIC("application/strategic-merge-patch+json"),
  APPLY("application/apply-patch+yaml");

  private final String contentType;

  Patch(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }
}
