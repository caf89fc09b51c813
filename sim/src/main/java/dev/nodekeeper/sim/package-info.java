/**
 * The real Keeper, N times, on a simulated API server: people and kubelets act, watches lag,
 * requests and replies are lost, processes crash. One seed is one history, byte for byte.
 */
@NullMarked
package dev.nodekeeper.sim;

import org.jspecify.annotations.NullMarked;
