package dev.nodekeeper.cli.up;

/** How much of a cluster an {@code up} starts. */
public enum Extent {
  /** What nodes need to be kept. */
  SMALL,
  /** And what workloads need to run on them. */
  FULL
}
