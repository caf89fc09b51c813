package dev.nodekeeper.testbed;

/** The API server refused, or could not be asked (code 0). */
public final class KubeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int code;

  KubeException(int code, String message) {
    super(code + " " + message);
    this.code = code;
  }

  KubeException(String message, Throwable cause) {
    super(message, cause);
    this.code = 0;
  }

  public int code() {
    return code;
  }
}
