/**
 * Text in, values out, and back: the record as JSON, the marker, the restore patch.
 *
 * <p>The only package of the core that knows Jackson. Reading never throws for bad input: what
 * cannot be read is a value too.
 */
@NullMarked
package dev.nodekeeper.core.codec;

import org.jspecify.annotations.NullMarked;
