/** Figures, and how people get to see them: a progress line, a table, JSON, plots. */
@NullMarked
package dev.nodekeeper.bench.report;

import org.jspecify.annotations.NullMarked;
