/**
 * The words of the product as values: keys, content, the node as seen, its record.
 *
 * <p>Immutable data only. Nothing here decides, parses JSON, or knows a client, a clock or a
 * thread.
 */
@NullMarked
package dev.nodekeeper.core.model;

import org.jspecify.annotations.NullMarked;
