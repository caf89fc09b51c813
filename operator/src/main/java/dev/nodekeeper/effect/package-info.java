/**
 * What the Keeper wants done, done: the only writer of nodes and records.
 *
 * <p>One effect is one request, without a hidden read or retry; whatever comes of it goes back as
 * an outcome.
 */
@NullMarked
package dev.nodekeeper.effect;

import org.jspecify.annotations.NullMarked;
