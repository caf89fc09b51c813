package dev.nodekeeper.core.model;

/**
 * What is in the place of a record: a record, or something that we cannot or may not read as one.
 */
public sealed interface Stored permits NodeRecord, Stored.Unreadable {
  String node();

  Origin origin();

  /**
   * The object that it was read from.
   *
   * @param rv its own resourceVersion: the optimistic lock
   * @param foreign the parts of the object that are not ours, opaque, to be written back untouched
   * @param size of our parts, in bytes
   * @param awaySince when its node was found to be away, by the API server's clock; 0 when it is
   *     not
   * @param exempt a person wants it to be kept however long its node is away
   */
  record Origin(String uid, long rv, String foreign, int size, long awaySince, boolean exempt) {
    /** Of which any fit into a long. */
    private static final int REVISION_DIGITS = 18;

    /** Of a record that is not stored yet. */
    public static final Origin NONE = new Origin("", 0, "");

    public Origin(String uid, long rv, String foreign) {
      this(uid, rv, foreign, 0, 0, false);
    }

    /** A resourceVersion as a number: all API servers of today count. */
    public static boolean isRevision(String text) {
      if (text.isEmpty() || text.length() > REVISION_DIGITS) {
        return false;
      }
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) < '0' || text.charAt(i) > '9') {
          return false;
        }
      }
      return true;
    }

    public Origin away(long since) {
      return new Origin(uid, rv, foreign, size, since, exempt);
    }
  }

  /** Never restored, never overwritten. */
  record Unreadable(String node, Origin origin, Defect defect, String detail) implements Stored {}

  /** Why a stored object is no record for us. */
  enum Defect {
    NOT_A_RECORD,
    BROKEN,
    NEWER_SCHEMA,
    OTHER_NODE
  }
}
