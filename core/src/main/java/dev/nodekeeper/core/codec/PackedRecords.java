package dev.nodekeeper.core.codec;

import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A list of records that is as large as the fleet: each is packed while it waits to be read. */
public final class PackedRecords extends AbstractList<Stored> {
  private final List<Entry> entries = new ArrayList<>();

  private sealed interface Entry {
    Stored open();
  }

  private record Packed(String name, PackedRecord record, boolean trusted) implements Entry {
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
            ? new Packed(record.node(), PackedRecord.of(record), !record.guardsLostHistory())
            : new Plain(stored));
  }

  @Override
  public boolean addAll(Collection<? extends Stored> stored) {
    return stored instanceof PackedRecords packed
        ? entries.addAll(packed.entries)
        : super.addAll(stored);
  }

  public static PackedRecords of(List<Stored> records) {
    if (records instanceof PackedRecords packed) {
      return packed;
    }
    PackedRecords packed = new PackedRecords();
    packed.addAll(records);
    return packed;
  }

  /**
   * Opens nothing that can be taken as it is.
   *
   * @param others what is no record, or one that guards a lost history
   */
  public void each(BiConsumer<String, PackedRecord> packed, Consumer<Stored> others) {
    for (Entry entry : entries) {
      if (entry instanceof Packed(String name, PackedRecord record, boolean trusted) && trusted) {
        packed.accept(name, record);
      } else {
        others.accept(entry.open());
      }
    }
  }

  /** Another instance for some; what is no record stays as it is. */
  public PackedRecords map(BiFunction<String, PackedRecord, PackedRecord> other) {
    PackedRecords mapped = new PackedRecords();
    for (Entry entry : entries) {
      mapped.entries.add(
          entry instanceof Packed(String name, PackedRecord record, boolean trusted)
              ? new Packed(name, other.apply(name, record), trusted)
              : entry);
    }
    return mapped;
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
