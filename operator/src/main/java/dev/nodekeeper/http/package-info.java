/**
 * /livez, /readyz and /metrics for machines that look after us.
 *
 * <p>Reads only, and imports none of our packages: what is asked comes in as plain functions.
 */
@NullMarked
package dev.nodekeeper.http;

import org.jspecify.annotations.NullMarked;
