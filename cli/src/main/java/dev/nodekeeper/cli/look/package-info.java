/**
 * What is known of nodes and records as text for people and as JSON for programs.
 *
 * <p>Reads, never writes. Nothing of {@code state.json} is shown.
 */
@NullMarked
package dev.nodekeeper.cli.look;

import org.jspecify.annotations.NullMarked;
