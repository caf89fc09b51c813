/**
 * The operator: {@link dev.nodekeeper.Nodekeeper} wires watch, loop, core and effect together.
 *
 * <p>Wiring only; reading order is Nodekeeper, watch, loop, core, effect.
 */
@NullMarked
package dev.nodekeeper;

import org.jspecify.annotations.NullMarked;
