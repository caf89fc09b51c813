package dev.nodekeeper.core.codec;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Pool;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record that nobody looks at, in a third of the memory: what it has in common with its node is
 * the node's, the rest is packed. Opened again it is equal to what it was.
 */
public final class PackedRecord {
  private final long rv;
  private final int size;
  private final Content content;
  private final Identity identity;
  private final byte[] rest;

  private PackedRecord(long rv, int size, Content content, Identity identity, byte[] rest) {
    this.rv = rv;
    this.size = size;
    this.content = content;
    this.identity = identity;
    this.rest = rest;
  }

  public static PackedRecord of(NodeRecord record) {
    return new PackedRecord(
        record.origin().rv(),
        record.origin().size(),
        record.content(),
        record.identity(),
        new Packing(record).pack());
  }

  /** The same, in the node's memory as far as they agree. */
  public PackedRecord like(NodeState node) {
    Content sharedContent = content.like(node.content());
    Identity sharedIdentity = Pool.shared(identity, node.identity());
    return sharedContent == content && sharedIdentity == identity
        ? this
        : new PackedRecord(rv, size, sharedContent, sharedIdentity, rest);
  }

  public NodeRecord open(String name) {
    return new Unpacking(content, rest).open(name, rv, size, identity);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o == this
        || (o instanceof PackedRecord other
            && rv == other.rv
            && size == other.size
            && Arrays.equals(rest, other.rest)
            && content.equals(other.content)
            && identity.equals(other.identity));
  }

  @Override
  public int hashCode() {
    return Objects.hash(rv, size, content, identity, Arrays.hashCode(rest));
  }

  /** What it takes beside what it shares. */
  int bytes() {
    return rest.length;
  }

  public Content content() {
    return content;
  }

  public Identity identity() {
    return identity;
  }

  /** Of the incarnation that it is bound to; the record is not opened for that. */
  public String uid() {
    return new Unpacking(content, rest).uid();
  }

  /** Of the ConfigMap. */
  public long rv() {
    return rv;
  }

  /** In bytes. */
  public int size() {
    return size;
  }
}
