/** {@code *Test} needs nothing; {@code *IT} a real control plane, see {@link World}. */
@NullMarked
package dev.nodekeeper.echo;

import org.jspecify.annotations.NullMarked;
