/**
 * The memory of one replica: newest views, tombstones, requests in flight, back-off.
 *
 * <p>Single-threaded and pure: time and randomness come in with each input, requests go out as
 * effects. Nothing here may block, sleep, log or talk.
 */
@NullMarked
package dev.nodekeeper.core.keep;

import org.jspecify.annotations.NullMarked;
