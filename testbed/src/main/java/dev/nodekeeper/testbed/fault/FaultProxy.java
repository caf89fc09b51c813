package dev.nodekeeper.testbed.fault;

import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/**
 * Stands between one user and a real API server and does to what passes whatever a test says. It
 * ends TLS on both sides: to the API server it shows the user's certificate, or passes the token of
 * a request that has one.
 */
public final class FaultProxy implements AutoCloseable {

  /** How new connections are met. */
  private enum Door {
    OPEN,
    SHUT,
    SILENT
  }

  private final ControlPlane plane;
  private final String user;
  private final String[] groups;
  private final Upstream upstream;
  private final SSLContext tls;
  private final ServerSocket listener;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final Queue<Call> journal = new ConcurrentLinkedQueue<>();
  private volatile Door door = Door.OPEN;

  private FaultProxy(ControlPlane plane, URI server, String user, String... groups) {
    this.plane = plane;
    this.user = user;
    this.groups = groups.clone();
    this.upstream = new Upstream(server, plane.clientTls(user, groups), plane.anonymousTls());
    this.tls = plane.serverTls();
    try {
      this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("fault-proxy").start(this::accept);
  }

  /** A way to the control plane's API server for this user. */
  public static FaultProxy before(ControlPlane plane, String user, String... groups) {
    return new FaultProxy(plane, plane.server(), user, groups);
  }

  /** The same before another API server of that control plane. */
  public static FaultProxy before(ControlPlane plane, URI server, String user, String... groups) {
    return new FaultProxy(plane, server, user, groups);
  }

  public URI server() {
    return URI.create("https://127.0.0.1:" + listener.getLocalPort());
  }

  /** The user's kubeconfig for the way through the proxy. */
  public Path kubeconfig() {
    return plane.kubeconfig(server(), user, groups);
  }

  /** The user as a client through the proxy; to be closed by who asked. */
  public Kube client() {
    return plane.client(server(), user, groups);
  }

  // ---- trouble

  /** The beginning of a sentence; see {@link Rule}. */
  public Rule on(Match match) {
    var rule = new Rule(match);
    rules.add(rule);
    return rule;
  }

  /** Ends a rule; what waited because of it goes on. */
  public void lift(Rule rule) {
    rules.remove(rule);
    rule.lift();
  }

  /** Ends a rule for those to come; what waits because of it waits for ever. */
  public void forget(Rule rule) {
    rules.remove(rule);
  }

  /** Ends every open connection; new ones are welcome. */
  public void cut() {
    connections.forEach(Connection::close);
  }

  /** Ends the connections whose last call fits, such as a watch. */
  public void cut(Match match) {
    connections.stream().filter(each -> each.serves(match)).forEach(Connection::close);
  }

  /** Ends every connection and lets nobody in, like a server that is not there. */
  public void shut() {
    door = Door.SHUT;
    cut();
  }

  /** Half-open: connections are accepted and never answered, open ones fall silent both ways. */
  public void fallSilent() {
    door = Door.SILENT;
    on(Match.any()).muteRequests();
    on(Match.any()).muteReplies();
  }

  /** No more trouble: what was held goes on its way, late as it is. */
  public void heal() {
    door = Door.OPEN;
    rules.forEach(this::lift);
    // Those in the middle of a handshake that nobody answered.
    connections.stream().filter(Connection::unused).forEach(Connection::close);
  }

  // ---- what was seen

  /** Every call so far, in order of arrival. */
  public List<Call> journal() {
    return List.copyOf(journal);
  }

  public List<Call> journal(Match match) {
    return journal.stream().filter(match.test()).toList();
  }

  public int count(Match match) {
    return journal(match).size();
  }

  // ---- for the connections

  Upstream upstream() {
    return upstream;
  }

  void arrived(Call call) {
    journal.add(call);
  }

  List<Rule> rulesFor(Call call) {
    return rules.stream().filter(rule -> rule.fits(call)).toList();
  }

  void at(Rule.Point point, Call call) throws IOException, InterruptedException {
    for (var rule : rulesFor(call)) {
      var step = rule.step(point);
      if (step != null) {
        step.on(call);
      }
    }
  }

  List<Frame> edited(Call call, Frame frame) throws InterruptedException {
    var frames = List.of(frame);
    for (var rule : rulesFor(call)) {
      var edit = rule.frames();
      if (edit != null) {
        var next = new ArrayList<Frame>();
        for (var each : frames) {
          next.addAll(edit.of(each));
        }
        frames = next;
      }
    }
    return frames;
  }

  void ended(Connection connection) {
    connections.remove(connection);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        meet(listener.accept());
      } catch (IOException e) {
        // Closed by us, or a client that left before it was met.
        continue;
      }
    }
  }

  private void meet(Socket socket) throws IOException {
    if (door == Door.SHUT) {
      socket.close();
      return;
    }
    var connection = new Connection(this, socket, tls);
    connections.add(connection);
    if (door == Door.OPEN) {
      connection.start();
    }
  }

  @Override
  public void close() {
    door = Door.SHUT;
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
    rules.forEach(Rule::lift);
    upstream.close();
  }
}
