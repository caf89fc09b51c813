/**
 * The one thread that owns the Keeper, and the queue in front of it.
 *
 * <p>Time and randomness enter the core here. Nothing here talks to the API server.
 */
@NullMarked
package dev.nodekeeper.loop;

import org.jspecify.annotations.NullMarked;
