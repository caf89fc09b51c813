/**
 * The commands, one file each, and how they fail.
 *
 * <p>A command reads its flags, calls {@code look} or {@code up} or the operator, and prints. It
 * decides nothing about nodes: that is the core's.
 */
@NullMarked
package dev.nodekeeper.cli;

import org.jspecify.annotations.NullMarked;
