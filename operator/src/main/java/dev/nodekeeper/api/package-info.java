/**
 * The wire: one request in, one reply out, and a watch as a stream of lines.
 *
 * <p>No retries, no caches, no models. Every call has a time-out. The only package that knows
 * fabric8 (for kubeconfig, service account, exec plugins and TLS) and the JDK's HTTP client.
 */
@NullMarked
package dev.nodekeeper.api;

import org.jspecify.annotations.NullMarked;
