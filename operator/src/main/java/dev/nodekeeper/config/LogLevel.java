package dev.nodekeeper.config;

/** How much is logged, from least to most. */
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG,
  TRACE
}
