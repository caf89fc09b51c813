/**
 * Records as files and as objects that people change through commands: forget, move, export,
 * import.
 *
 * <p>Every write names the very version that was looked at; nobody's newer word is lost. What is
 * written has no state of ours, so that the controller takes it up as a person's edit.
 */
@NullMarked
package dev.nodekeeper.cli.records;

import org.jspecify.annotations.NullMarked;
