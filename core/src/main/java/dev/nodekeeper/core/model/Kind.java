package dev.nodekeeper.core.model;

/** What a person can put on a node, and we can keep. */
public enum Kind {
  LABEL("labels"),
  TAINT("taints"),
  ANNOTATION("annotations"),
  CORDON("cordon");

  private final String setting;

  Kind(String setting) {
    this.setting = setting;
  }

  /** The word for this kind in {@code --keep}. */
  public String setting() {
    return setting;
  }
}
