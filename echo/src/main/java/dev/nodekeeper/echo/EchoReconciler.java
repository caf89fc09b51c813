package dev.nodekeeper.echo;

import dev.nodekeeper.echo.EchoStatus.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.SSABasedGenericKubernetesResourceMatcher;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the cluster look as an Echo says. It is called when something about an Echo or its children
 * changed, and does not ask what: it looks at everything and does what is missing. So it may be
 * called too often, and may die at any line.
 */
@ControllerConfiguration(
    name = EchoReconciler.OPERATOR,
    fieldManager = EchoReconciler.OPERATOR,
    finalizerName = EchoReconciler.FINALIZER)
@GradualRetry(
    initialInterval = 200,
    intervalMultiplier = 2,
    maxInterval = 30_000,
    maxAttempts = Integer.MAX_VALUE)
record EchoReconciler(Api api, Events events, Clock clock)
    implements Reconciler<Echo>, Cleaner<Echo> {
  static final String OPERATOR = "echo-operator";
  static final String FINALIZER = "echo.test.com/cleanup";

  /** Nobody tells us when a foreign object or a missing right is out of the way. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration STUCK = Duration.ofMinutes(1);

  /** The children are watched as well, by our label: whatever happens to one calls us. */
  @Override
  public List<EventSource<?, Echo>> prepareEventSources(EventSourceContext<Echo> context) {
    return List.of(watch(Deployment.class, context), watch(Service.class, context));
  }

  private static <T extends HasMetadata> EventSource<?, Echo> watch(
      Class<T> type, EventSourceContext<Echo> context) {
    var configuration =
        InformerEventSourceConfiguration.from(type, Echo.class)
            .withLabelSelector(Children.LABEL)
            .build();
    return new InformerEventSource<>(configuration, context);
  }

  @Override
  public UpdateControl<Echo> reconcile(Echo echo, Context<Echo> context) {
    var problems = new ArrayList<Problem>();
    // One child's trouble is not the other's.
    var deployment = keep(echo, Deployment.class, Children.deployment(echo), context, problems);
    var service = keep(echo, Service.class, Children.service(echo), context, problems);
    var told = report(new StatusOf(echo, deployment, service, problems, clock.instant()));
    if (told && problems.isEmpty()) {
      return UpdateControl.noUpdate();
    }
    return UpdateControl.<Echo>noUpdate().rescheduleAfter(told ? LOOK_AGAIN : SOON);
  }

  /** Children first, the finalizer last: as long as the Echo is there, somebody will clean up. */
  @Override
  public DeleteControl cleanup(Echo echo, Context<Echo> context) {
    var problems = new ArrayList<Problem>();
    var deployment = remove(echo, Deployment.class, Children.deployment(echo), context, problems);
    var service = remove(echo, Service.class, Children.service(echo), context, problems);
    if (deployment.isEmpty() && service.isEmpty() && problems.isEmpty()) {
      api.removeFinalizer(echo);
      // A new Echo may have this name by now, and the framework, still busy with the old one, may
      // have overlooked it (README, "What the framework gets wrong"): have it look again.
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(Duration.ofSeconds(1));
    }
    var told =
        problems.isEmpty()
            || report(new StatusOf(echo, deployment, service, problems, clock.instant()));
    return DeleteControl.noFinalizerRemoval().rescheduleAfter(told ? LOOK_AGAIN : SOON);
  }

  /** Our child as it is now; what keeps it from being as it should be becomes a problem. */
  private <T extends HasMetadata> Optional<T> keep(
      Echo echo, Class<T> type, T wanted, Context<Echo> context, List<Problem> problems) {
    var ours = Optional.<T>empty();
    try {
      var seen = find(type, wanted, context);
      if (seen.isEmpty()) {
        ours = Optional.of(api.create(wanted));
        events.send(echo, "Normal", "Created", wanted.getKind() + " created");
        return ours;
      }
      var found = seen.get();
      if (!Children.owns(echo, found)) {
        problems.add(Problem.foreign(found));
        return ours;
      }
      ours = seen;
      var matcher = SSABasedGenericKubernetesResourceMatcher.<T>getInstance();
      if (!matcher.matches(found, wanted, context)) {
        ours = Optional.of(api.apply(wanted, found));
        events.send(echo, "Normal", "Updated", wanted.getKind() + " updated");
      }
    } catch (KubernetesClientException e) {
      problems.add(Problem.of(e, context.getRetryInfo()));
    }
    return ours;
  }

  /** In memory first. What is not there may still exist: unlabelled, foreign, or too new. */
  private <T extends HasMetadata> Optional<T> find(Class<T> type, T wanted, Context<Echo> context) {
    return context
        .getSecondaryResourcesAsStream(type)
        .filter(child -> child.getMetadata().getName().equals(wanted.getMetadata().getName()))
        .findFirst()
        .or(() -> Optional.ofNullable(context.getClient().resource(wanted).get()));
  }

  /** Our child if it is still there, as it was before we told it to go. */
  private <T extends HasMetadata> Optional<T> remove(
      Echo echo, Class<T> type, T wanted, Context<Echo> context, List<Problem> problems) {
    var ours = Optional.<T>empty();
    try {
      ours = find(type, wanted, context).filter(child -> Children.owns(echo, child));
      if (ours.isPresent()) {
        var child = ours.get();
        var since = child.getMetadata().getDeletionTimestamp();
        if (since == null) {
          api.delete(child);
        } else if (Instant.parse(since).plus(STUCK).isBefore(clock.instant())) {
          problems.add(Problem.stuck(child));
        }
      }
    } catch (KubernetesClientException e) {
      problems.add(Problem.of(e, context.getRetryInfo()));
    }
    return ours;
  }

  /** False when the status that we read was not the last one: the last is on its way to us. */
  private boolean report(StatusOf now) {
    var echo = now.echo();
    var status = now.status();
    var before = Optional.ofNullable(echo.getStatus());
    if (before.filter(status::equals).isPresent()) {
      return true;
    }
    try {
      api.patchStatus(echo, status);
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409) {
        return false;
      }
      throw e;
    }
    var degraded = status.condition(StatusOf.DEGRADED).orElseThrow();
    // By reason: the message may name a pod, another one with each attempt.
    var known = before.flatMap(old -> old.condition(StatusOf.DEGRADED)).map(Condition::reason);
    if (degraded.status().equals("True") && !known.equals(Optional.of(degraded.reason()))) {
      events.send(echo, "Warning", degraded.reason(), degraded.message());
    }
    return true;
  }
}
