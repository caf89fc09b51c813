/**
 * Where records live: the ConfigMap as we write it, and the namespace that must be there for it.
 *
 * <p>What a record says is decided in the core; nothing here looks inside.
 */
@NullMarked
package dev.nodekeeper.store;

import org.jspecify.annotations.NullMarked;
