/**
 * Who does what: the nodes are cut into shards, and a replica works on those whose Lease it holds.
 *
 * <p>Knows numbers of shards, not nodes. What a replica does next is decided by {@link
 * dev.nodekeeper.share.Shareholder}, which has no thread, clock or client; {@link
 * dev.nodekeeper.share.LeaseSharing} is the shell around it. Safety never depends on a lease: two
 * owners break nothing, they only do the same work twice.
 */
@NullMarked
package dev.nodekeeper.share;

import org.jspecify.annotations.NullMarked;
