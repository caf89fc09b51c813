/** What is ours in a cluster, and how it goes. Nothing here knows of manifests or charts. */
@NullMarked
package dev.nodekeeper.cli.remove;

import org.jspecify.annotations.NullMarked;
