package dev.nodekeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.pace.Backoff;
import dev.nodekeeper.pace.Stop;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that the namespace of the records is there: makes it, or says what to run. */
public final class NamespaceGuard implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceGuard.class);
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String NAMESPACES = "/api/v1/namespaces";

  private final Api api;
  private final String namespace;
  private final Backoff backoff;
  private final Stop stop;
  private final CountDownLatch answered = new CountDownLatch(1);
  private final Semaphore alarms = new Semaphore(0);
  private volatile String problem = "";

  /** A write has found no namespace; else, where we may not look, it counts as there. */
  private volatile boolean missed;

  private boolean told;

  public NamespaceGuard(Api api, String namespace, Backoff backoff, Stop stop) {
    this.api = api;
    this.namespace = namespace;
    this.backoff = backoff;
    this.stop = stop;
  }

  /** Why records cannot be written; empty when they can, as far as we know. */
  public Optional<String> problem() {
    return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
  }

  /** Waits until the server has said anything about the namespace, or until we are to stop. */
  public void awaitAnswer() throws InterruptedException {
    while (!stop.signalled() && !answered.await(1, TimeUnit.SECONDS)) {
      // Once a second we look whether to stop.
    }
  }

  /** A write found no namespace. */
  public void missing() {
    missed = true;
    if (problem.isEmpty()) {
      problem = missingText();
    }
    alarms.release();
  }

  /** A write found it: whatever we were told, it is there. */
  public void present() {
    missed = false;
    if (!problem.isEmpty()) {
      problem = "";
      LOG.info("Namespace {} is there", namespace);
    }
  }

  @Override
  public void run() {
    while (!stop.signalled()) {
      try {
        ensure();
        while (!stop.signalled() && !alarms.tryAcquire(1, TimeUnit.SECONDS)) {
          // Once a second we look whether to stop.
        }
        alarms.drainPermits();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void ensure() {
    backoff.reset();
    while (!stop.signalled() && !settled()) {
      if (stop.await(backoff.next())) {
        return;
      }
    }
  }

  /** One attempt; true when there is nothing more to do until the next alarm. */
  private boolean settled() {
    try {
      Reply found = api.send(Call.get(NAMESPACES + "/" + namespace));
      return switch (found.status()) {
        case 200 -> answered(leaving(found) ? waiting() : there());
        case 404 -> answered(create());
        // We may not look; whether it is there, the first write will tell.
        case 403 -> answered(missed ? create() : there());
        default -> unanswered(found.failure().text());
      };
    } catch (UnreachableException | RuntimeException e) {
      return unanswered(String.valueOf(e.getMessage()));
    }
  }

  private boolean answered(boolean done) {
    answered.countDown();
    return done;
  }

  /** The first thing we ask the server for, so this is where people learn that it is not there. */
  private boolean unanswered(String why) {
    if (problem.isEmpty()) {
      LOG.warn("{}; asking {} again until it works", why, api.server());
    }
    problem = "cannot ask for namespace " + namespace + ": " + why;
    return false;
  }

  /** A deleted namespace refuses new records long before it is gone. */
  private static boolean leaving(Reply found) {
    try {
      JsonNode json = MAPPER.readTree(found.body());
      return json.path("metadata").has("deletionTimestamp");
    } catch (IOException e) {
      return false;
    }
  }

  private boolean waiting() {
    problem = "namespace " + namespace + " is being deleted; it is made again when it is gone";
    return false;
  }

  private boolean there() {
    present();
    told = false;
    return true;
  }

  private boolean create() throws UnreachableException {
    String body =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
            .formatted(namespace);
    Reply made = api.send(Call.post(NAMESPACES, body));
    if (made.ok()) {
      LOG.info("Created namespace {}", namespace);
      return there();
    }
    problem = missingText();
    // 409 while a deleted one is still going away: it is made as soon as it is gone.
    if (!told) {
      told = true;
      LOG.warn(
          "Namespace {} is missing and could not be created ({}). Nothing can be remembered until"
              + " someone runs: kubectl create namespace {}",
          namespace,
          made.failure().text(),
          namespace);
    }
    return false;
  }

  private String missingText() {
    return "namespace " + namespace + " is missing; run: kubectl create namespace " + namespace;
  }
}
