/** The program as people start it: real processes, a real launcher, a real control plane. */
@NullMarked
package dev.nodekeeper.cli.it;

import org.jspecify.annotations.NullMarked;
