package dev.nodekeeper.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.CodedInputStream;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.read.NodeReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * All nodes of the cluster.
 *
 * @param known a page in the memory of what is known already
 */
public record NodeFeed(NodeReader reader, UnaryOperator<List<NodeState>> known)
    implements Feed<NodeState> {

  /** For who remembers nothing. */
  public NodeFeed(NodeReader reader) {
    this(reader, UnaryOperator.identity());
  }

  @Override
  public String resource() {
    return "nodes";
  }

  @Override
  public String path() {
    return "/api/v1/nodes";
  }

  @Override
  public Optional<NodeState> read(JsonParser parser) throws IOException {
    return Optional.of(reader.read(parser));
  }

  @Override
  public Optional<NodeState> readLast(JsonParser parser) throws IOException {
    return Optional.of(reader.readLast(parser));
  }

  @Override
  public String accept() {
    return Call.PROTOBUF;
  }

  @Override
  public Optional<NodeState> read(CodedInputStream object) throws IOException {
    return Optional.of(reader.read(object));
  }

  @Override
  public List<Input> listStarts() {
    return List.of(new Input.NodeListStarted());
  }

  @Override
  public List<NodeState> emptyList() {
    return new ArrayList<>();
  }

  @Override
  public List<NodeState> familiar(List<NodeState> page) {
    return known.apply(page);
  }

  @Override
  public Input listed(List<NodeState> items, long rv) {
    return new Input.NodesListed(items, rv);
  }

  @Override
  public Input event(Change change, NodeState node) {
    return switch (change) {
      case ADDED -> new Input.NodeAdded(node);
      case MODIFIED -> new Input.NodeModified(node);
      case DELETED -> new Input.NodeDeleted(node);
    };
  }

  @Override
  public Input progress(long rv) {
    return new Input.NodeProgress(rv);
  }

  @Override
  public long rv(NodeState node) {
    return node.rv();
  }
}
