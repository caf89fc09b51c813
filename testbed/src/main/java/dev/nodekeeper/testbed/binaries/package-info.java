/**
 * Where the programs of a control plane come from.
 *
 * <p>Order: the folder named by {@code KUBEBUILDER_ASSETS}, our own cache, the official envtest
 * archive, a build from the Go module proxy. Only what a run asks for is fetched, once; nothing
 * here starts a control plane.
 */
@NullMarked
package dev.nodekeeper.testbed.binaries;

import org.jspecify.annotations.NullMarked;
