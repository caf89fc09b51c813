package dev.nodekeeper.fuzz;

/** What a target holds of any input; Jazzer reports whatever is thrown. */
final class Promise {
  private Promise() {}

  static void require(boolean kept, String promise, Object... about) {
    if (!kept) {
      throw new AssertionError(promise.formatted(about));
    }
  }
}
