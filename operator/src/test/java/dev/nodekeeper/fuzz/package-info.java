/**
 * Inputs that nobody thought of: targets for the Jazzer fuzzer, each a promise about any input, and
 * the test that runs them, first on the corpus, then on what Jazzer makes of it.
 */
package dev.nodekeeper.fuzz;
