/**
 * What is on the nodes, what is in the records, and what the core says about the two: for commands
 * and for the console.
 *
 * <p>Reads the cluster, never writes to it. Nothing of {@code state.json} leaves this package but
 * what a record's life looked like.
 */
@NullMarked
package dev.nodekeeper.look;

import org.jspecify.annotations.NullMarked;
