/**
 * What happens in the cluster, as inputs for the Keeper: list once, then watch, for nodes and
 * records.
 *
 * <p>An error, a 403 or half a list is never told as "gone". Decides nothing.
 */
@NullMarked
package dev.nodekeeper.watch;

import org.jspecify.annotations.NullMarked;
