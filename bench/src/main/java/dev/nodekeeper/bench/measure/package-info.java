/**
 * How the process under test is looked at: from outside only. Its metrics, the kernel's figures,
 * the API server's audit log, and watches of the bench's own.
 */
@NullMarked
package dev.nodekeeper.bench.measure;

import org.jspecify.annotations.NullMarked;
