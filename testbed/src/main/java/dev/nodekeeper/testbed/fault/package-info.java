/**
 * Trouble on the wire, on demand.
 *
 * <p>{@link dev.nodekeeper.testbed.fault.FaultProxy} stands before a real API server and delays,
 * cuts, refuses, holds or edits what passes; {@link dev.nodekeeper.testbed.fault.Link} does the
 * crude half of it to any TCP connection. Nothing here invents an answer that a test did not ask
 * for.
 */
@NullMarked
package dev.nodekeeper.testbed.fault;

import org.jspecify.annotations.NullMarked;
