/**
 * Who does what, on the real API server: leases are taken, renewed, released, lost and found by
 * instances that know nothing of each other but what the server shows them.
 */
package dev.nodekeeper.it.share;
