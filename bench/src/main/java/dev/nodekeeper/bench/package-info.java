/**
 * The benchmark: a fleet of N nodes on a real API server, {@code nodekeeper run} as a process of
 * its own, and plain requests of the same kind in the same run to compare with.
 *
 * <p>Reading order: {@link dev.nodekeeper.bench.Bench}, {@link dev.nodekeeper.bench.Run}, then the
 * phases.
 */
@NullMarked
package dev.nodekeeper.bench;

import org.jspecify.annotations.NullMarked;
