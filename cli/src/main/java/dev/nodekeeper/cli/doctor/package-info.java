/** What can be wrong around a controller, asked one by one; each answer is ok, or how to fix it. */
@NullMarked
package dev.nodekeeper.cli.doctor;

import org.jspecify.annotations.NullMarked;
