package dev.nodekeeper.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.nodekeeper.core.codec.PackedRecords;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.read.RecordReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * All ConfigMaps of our namespace: a record that a person made has no label to select by.
 *
 * @param known a page in the memory of what is known already
 */
public record RecordFeed(String namespace, UnaryOperator<List<Stored>> known)
    implements Feed<Stored> {

  /** For who remembers nothing. */
  public RecordFeed(String namespace) {
    this(namespace, UnaryOperator.identity());
  }

  @Override
  public String resource() {
    return "records";
  }

  @Override
  public String path() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  @Override
  public Optional<Stored> read(JsonParser parser) throws IOException {
    Stored stored = RecordReader.read(parser);
    return stored.node().equals(RecordReader.NOT_OURS) ? Optional.empty() : Optional.of(stored);
  }

  @Override
  public List<Input> listStarts() {
    return List.of();
  }

  @Override
  public List<Stored> emptyList() {
    return new PackedRecords();
  }

  @Override
  public List<Stored> familiar(List<Stored> page) {
    return known.apply(page);
  }

  @Override
  public Input listed(List<Stored> items, long rv) {
    return new Input.RecordsListed(items, rv);
  }

  @Override
  public Input event(Change change, Stored stored) {
    return switch (change) {
      case ADDED, MODIFIED -> new Input.RecordSeen(stored);
      case DELETED -> new Input.RecordDeleted(stored.node(), stored.origin().rv());
    };
  }

  @Override
  public Input progress(long rv) {
    return new Input.RecordProgress(rv);
  }

  @Override
  public long rv(Stored stored) {
    return stored.origin().rv();
  }
}
