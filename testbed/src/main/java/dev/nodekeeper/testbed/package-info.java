/**
 * A real control plane on one machine, and machines to join it.
 *
 * <p>{@link dev.nodekeeper.testbed.ControlPlane} runs etcd and kube-apiserver as ordinary
 * processes; {@link dev.nodekeeper.testbed.KubeletStandIn} and {@link
 * dev.nodekeeper.testbed.Kubemark} play the nodes; {@link dev.nodekeeper.testbed.AuditLog} counts
 * who asked what. Nothing here knows Nodekeeper itself.
 */
@NullMarked
package dev.nodekeeper.testbed;

import org.jspecify.annotations.NullMarked;
