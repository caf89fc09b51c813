package dev.nodekeeper.echo;

import io.fabric8.kubernetes.client.Config;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** {@code java -cp 'lib/*' dev.nodekeeper.echo.Main}, in a pod or beside a kubeconfig. */
public final class Main {
  private Main() {}

  /** In a cluster there may be two of us: POD_NAMESPACE says where they agree on one. */
  public static void main(String... args) {
    try {
      EchoOperator.start(
          EchoOperator.client(Config.autoConfigure(null)),
          Optional.ofNullable(System.getenv("POD_NAMESPACE")).map(EchoOperator::election),
          Integer.parseInt(System.getenv().getOrDefault("PORT", "8080")),
          Clock.systemUTC());
    } catch (Exception e) {
      LoggerFactory.getLogger(Main.class).error("cannot start", e);
      // Threads of the half that did start would keep the process.
      System.exit(1);
    }
  }
}
