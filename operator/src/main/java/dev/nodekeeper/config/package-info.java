/**
 * What a person can set: every setting declared once, as flag, environment variable and
 * description.
 *
 * <p>Built from plain maps, so that tests need no environment. Imports nothing of ours but the
 * core.
 */
@NullMarked
package dev.nodekeeper.config;

import org.jspecify.annotations.NullMarked;
