/**
 * A fleet, what people put on it, and a client fast enough to find the API server's limit.
 *
 * <p>The wire is the operator's own thin client, so that a ratio compares work and not clients.
 */
@NullMarked
package dev.nodekeeper.bench.load;

import org.jspecify.annotations.NullMarked;
