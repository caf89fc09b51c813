package dev.nodekeeper.share;

import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;

/**
 * What the rest of the program is asked and told; all of it on the lease thread, so none may block.
 *
 * @param warm whether we know the nodes: before that we watch the leases and take none, since who
 *     gave one up would have nobody to act, and what happens meanwhile nobody who may write
 * @param dealtWith whether nothing is left to do of what happened to nodes up to a revision
 * @param drained whether no write for that shard is in flight any more; asked after {@link
 *     Sharing#current} has ceased to show it
 * @param changed the set of owned shards is another
 * @param failed a request for a lease got no useful answer
 * @param namespaceMissing a lease could not be made because its namespace is not there
 */
public record Hooks(
    BooleanSupplier warm,
    LongPredicate dealtWith,
    IntPredicate drained,
    Runnable changed,
    Runnable failed,
    Runnable namespaceMissing) {}
