package dev.nodekeeper.core.codec;

import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A list of records that is as large as the fleet: each is packed while it waits to be read. */
public final class PackedRecords extends AbstractList<Stored> {
  private final List<Entry> entries = new ArrayList<>();

  private sealed interface Entry {
    Stored open();
  }

  private record Packed(String name, PackedRecord record) implements Entry {
    @Override
    public Stored open() {
      return record.open(name);
    }
  }

  /** Not a record: rare. */
  private record Plain(Stored stored) implements Entry {
    @Override
    public Stored open() {
      return stored;
    }
  }

  @Override
  public boolean add(Stored stored) {
    return entries.add(
        stored instanceof NodeRecord record
            ? new Packed(record.node(), PackedRecord.of(record))
            : new Plain(stored));
  }

  /** Those of another such list are packed already. */
  @Override
  public boolean addAll(Collection<? extends Stored> more) {
    return more instanceof PackedRecords packed
        ? entries.addAll(packed.entries)
        : super.addAll(more);
  }

  @Override
  public Stored get(int index) {
    return entries.get(index).open();
  }

  @Override
  public int size() {
    return entries.size();
  }
}
