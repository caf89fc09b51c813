/**
 * The races of the design, each forced to happen exactly so: a gate on the wire holds a request, a
 * reply or an event until the other party has acted, and the proxy's journal shows that it met it.
 * R8-R10 and R29-R31 are about webhooks, which we have none of.
 */
package dev.nodekeeper.it.race;
