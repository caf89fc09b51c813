/**
 * Pages for people: the fleet at a glance, and one node with its record and its story.
 *
 * <p>Reads only; there is nothing to submit. Made here, as HTML, without a build chain: what a
 * browser needs beside it is one style sheet and one script. All text of a cluster passes {@link
 * dev.nodekeeper.console.Html}. It keeps nothing per node: a page asks the Keeper, or the API
 * server.
 */
@NullMarked
package dev.nodekeeper.console;

import org.jspecify.annotations.NullMarked;
