package dev.nodekeeper.core.model;

import org.jspecify.annotations.Nullable;

/**
 * Which machine stands behind a node name, as far as it says. Empty text where it does not.
 *
 * <p>Three texts in one, because there are 100,000: most of what short texts take is their objects.
 */
public final class Identity {
  public static final Identity NONE = new Identity("", "", "");

  private final String texts;
  private final int second;
  private final int third;

  public Identity(String providerId, String systemUuid, String machineId) {
    this.texts = providerId + systemUuid + machineId;
    this.second = providerId.length();
    this.third = second + systemUuid.length();
  }

  public String providerId() {
    return texts.substring(0, second);
  }

  public String systemUuid() {
    return texts.substring(second, third);
  }

  public String machineId() {
    return texts.substring(third);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o == this
        || (o instanceof Identity other
            && second == other.second
            && third == other.third
            && texts.equals(other.texts));
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return "Identity[providerId=%s, systemUuid=%s, machineId=%s]"
        .formatted(providerId(), systemUuid(), machineId());
  }
}
