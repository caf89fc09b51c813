package dev.nodekeeper.share;

import java.util.Optional;

/** Nothing is shared, so everything is ours until we stop. */
final class Alone implements Sharing {
  private volatile Holdings shares = Holdings.everything(1);

  @Override
  public void start() {
    // Nobody needs to know.
  }

  @Override
  public Holdings current() {
    return shares;
  }

  @Override
  public int members() {
    return 1;
  }

  @Override
  public boolean alone() {
    return true;
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  public void close() {
    shares = Holdings.nothing(1);
  }
}
