package dev.nodekeeper.config;

/** How a log line looks. */
public enum LogFormat {
  TEXT,
  JSON
}
