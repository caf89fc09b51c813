package dev.nodekeeper.read;

import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.CodedInputStream;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import java.io.IOException;

/** A Node, trimmed to what can matter to us while it is being parsed. */
public final class NodeReader {
  private final KeyCache keys;

  public NodeReader(Policy policy) {
    this.keys = new KeyCache(policy);
  }

  public NodeState read(byte[] json) throws IOException {
    try (JsonParser parser = Documents.open(json)) {
      return read(parser);
    }
  }

  /** The parser stands on the opening brace, and afterwards on the closing one. */
  public NodeState read(JsonParser parser) throws IOException {
    return new NodeJson(new NodeDraft(keys)).read(parser);
  }

  /**
   * The same where nothing follows: half of a heartbeat is a list of images behind all that
   * matters.
   */
  public NodeState readLast(JsonParser parser) throws IOException {
    return new NodeJson(new NodeDraft(keys)).readLast(parser);
  }

  /** The same in protobuf, up to the end of the message. */
  public NodeState read(CodedInputStream node) throws IOException {
    return new NodeWire(new NodeDraft(keys)).read(node);
  }
}
