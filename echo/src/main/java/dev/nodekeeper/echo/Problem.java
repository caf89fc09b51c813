package dev.nodekeeper.echo;

/** Why an Echo is Degraded: one word for machines, one sentence for people. */
record Problem(String reason, String message) {}
