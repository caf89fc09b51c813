package dev.nodekeeper.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.nodekeeper.core.codec.PackedRecords;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.read.RecordReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** All ConfigMaps of our namespace: a record that a person made has no label to select by. */
public record RecordFeed(String namespace) implements Feed<Stored> {

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
