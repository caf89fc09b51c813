/**
 * A cluster to try nodekeeper on: a control plane, machines and the controller as processes of this
 * computer that outlive the command, all of them in one folder, and the story played on them.
 *
 * <p>Ends only processes that it can prove to have started.
 */
@NullMarked
package dev.nodekeeper.cli.up;

import org.jspecify.annotations.NullMarked;
