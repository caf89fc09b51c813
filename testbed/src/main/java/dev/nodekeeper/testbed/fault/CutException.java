package dev.nodekeeper.testbed.fault;

import java.io.IOException;

/** Ends a connection on purpose. */
final class CutException extends IOException {

  private static final long serialVersionUID = 1;

  CutException(String message) {
    super(message);
  }
}
