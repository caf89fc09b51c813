/**
 * JSON and protobuf of the API server into values of the core, streaming: a Node is never held
 * whole.
 *
 * <p>Reading only. What is written is in {@code store} and in the core's patches.
 */
@NullMarked
package dev.nodekeeper.read;

import org.jspecify.annotations.NullMarked;
