package dev.nodekeeper.share;

import java.util.Optional;

/** Nothing is shared, so everything is ours until we stop. */
final class Alone implements Sharing {
  private volatile Shares shares = Shares.everything(1);

  @Override
  public Shares current() {
    return shares;
  }

  @Override
  public int members() {
    return 1;
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  public void close() {
    shares = Shares.nothing(1);
  }
}
