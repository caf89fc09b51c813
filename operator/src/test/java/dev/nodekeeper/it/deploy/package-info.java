/**
 * What is under {@code deploy/}, rendered by the real kustomize and helm, and shown to a real API
 * server.
 */
package dev.nodekeeper.it.deploy;
