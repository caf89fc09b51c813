/**
 * Faults on a real control plane: what breaks, what is expected, and that it is so.
 *
 * <p>Parts are killed, stopped and starved on a control plane of their own; trouble on the wire is
 * made by the testbed's fault proxy.
 */
package dev.nodekeeper.it.fault;
