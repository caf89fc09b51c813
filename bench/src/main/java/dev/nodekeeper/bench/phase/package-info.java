/** What is done to the fleet, one class for each phase of a run. */
@NullMarked
package dev.nodekeeper.bench.phase;

import org.jspecify.annotations.NullMarked;
