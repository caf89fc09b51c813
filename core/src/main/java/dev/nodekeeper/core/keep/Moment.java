package dev.nodekeeper.core.keep;

import java.util.function.Supplier;

/**
 * What the world adds to an input: the time, and randomness for the nonce of a record version.
 *
 * @param millis since the epoch; only differences matter, except in {@code capturedAt}
 * @param serverMillis the same by the API server's clock, which all replicas share; 0 while unknown
 * @param nonce a fresh unguessable text (at least 128 bits, base64url) on each call
 */
public record Moment(long millis, long serverMillis, Supplier<String> nonce) {}
