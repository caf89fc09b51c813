package dev.nodekeeper.echo;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetricsV2;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

/** One running operator. */
record EchoOperator(Operator operator, Http http) implements AutoCloseable {

  /** Who retries is the framework, which does other things meanwhile; the client would wait. */
  static KubernetesClient client(Config config) {
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /**
   * Works, or stands by until it leads.
   *
   * @param election empty: there is no other one
   * @param port of probes and metrics, 0 for a free one
   */
  static EchoOperator start(
      KubernetesClient client,
      Optional<LeaderElectionConfiguration> election,
      int port,
      Clock clock)
      throws IOException {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var operator =
        new Operator(
            overrider -> {
              overrider
                  .withKubernetesClient(client)
                  // With 50, the default, 500 new Services ran into the timeout of a busy server.
                  .withConcurrentReconciliationThreads(10)
                  // A server does not list yet what was just defined: asked again, not given up.
                  .withStopOnInformerErrorDuringStartup(false)
                  .withMetrics(MicrometerMetricsV2.newBuilder(registry).build());
              election.ifPresent(overrider::withLeaderElectionConfiguration);
            });
    operator.register(new EchoReconciler(new Api(client), new Events(client, clock), clock));
    var info = operator.getRuntimeInfo();
    // Probes answer before the start, so that a start that hangs is seen.
    var http = Http.start(port, info::isStarted, info::allEventSourcesAreHealthy, registry::scrape);
    operator.start();
    return new EchoOperator(operator, http);
  }

  /** The name is new with every start: nobody takes the lease of a past life for its own. */
  static LeaderElectionConfiguration election(String namespace) {
    return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(EchoReconciler.OPERATOR)
        .withLeaseNamespace(namespace)
        .withIdentity(EchoReconciler.OPERATOR + "-" + UUID.randomUUID())
        .build();
  }

  int port() {
    return http.port();
  }

  @Override
  public void close() {
    operator.stop();
    http.close();
  }
}
