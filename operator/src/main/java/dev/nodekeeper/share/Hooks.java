package dev.nodekeeper.share;

import java.util.function.IntPredicate;

/**
 * What the rest of the program is asked and told; all of it on the lease thread, so none may block.
 *
 * @param drained whether no write for that shard is in flight any more; asked after {@link
 *     Sharing#current} has ceased to show it
 * @param changed the set of owned shards is another
 * @param failed a request for a lease got no useful answer
 * @param namespaceMissing a lease could not be made because its namespace is not there
 */
public record Hooks(
    IntPredicate drained, Runnable changed, Runnable failed, Runnable namespaceMissing) {}
