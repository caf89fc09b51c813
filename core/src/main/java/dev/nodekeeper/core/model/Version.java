package dev.nodekeeper.core.model;

/**
 * One version of a record, as we wrote it: what markers are checked with and merges compare to.
 *
 * @param nonce never leaves the record; key of the markers of this version
 * @param uid the incarnation it was captured from; empty when it is bound to none
 * @param rv of the node when it was captured
 */
public record Version(long generation, String nonce, String uid, long rv, Content content) {
  /** 128 bits in base64url. */
  private static final int NONCE_CHARS = 22;

  Version withoutRv() {
    return new Version(generation, nonce, uid, 0, content);
  }

  /** A nonce that somebody could guess proves no marker. */
  public boolean vouches() {
    return nonce.length() >= NONCE_CHARS;
  }
}
