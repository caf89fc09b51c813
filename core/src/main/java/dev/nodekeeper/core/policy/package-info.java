/**
 * What to keep: which keys are people's, which are the machine's, and what the API server accepts.
 *
 * <p>Pure functions over strings and lists. No Kubernetes client, clock, thread, log or environment
 * may be used here; the three {@code .txt} lists beside this package are its only input.
 */
@NullMarked
package dev.nodekeeper.core.policy;

import org.jspecify.annotations.NullMarked;
