/**
 * What to do about one node: the decision table of docs/architecture.md as one pure function.
 *
 * <p>No memory, no clock, no randomness: the same view, record and policy give the same decision.
 */
@NullMarked
package dev.nodekeeper.core.decide;

import org.jspecify.annotations.NullMarked;
