/**
 * What people get to see: log lines, metrics, Kubernetes events.
 *
 * <p>Node names never become metric labels; values of labels and annotations are never logged here.
 */
@NullMarked
package dev.nodekeeper.telemetry;

import org.jspecify.annotations.NullMarked;
