/**
 * What is on the nodes, what is in the records, and what the core says about the two.
 *
 * <p>Reads the cluster, never writes to it. Nothing of {@code state.json} leaves this package.
 */
@NullMarked
package dev.nodekeeper.cli.look;

import org.jspecify.annotations.NullMarked;
