/** {@code make jmh}: what single steps cost, on the nodes and records of the bench's fleet. */
@NullMarked
package dev.nodekeeper.bench.micro;

import org.jspecify.annotations.NullMarked;
