/**
 * How fast, how often, until when: back-off, the rate limit, the signal to stop.
 *
 * <p>Knows nothing of Kubernetes and imports none of our packages.
 */
@NullMarked
package dev.nodekeeper.pace;

import org.jspecify.annotations.NullMarked;
