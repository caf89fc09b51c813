package dev.nodekeeper.testbed.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A TCP connection that can freeze: bytes are neither lost nor delivered until it thaws. */
public final class Link implements AutoCloseable {

  private final int port;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition thawed = lock.newCondition();
  private boolean frozen;

  private Link(int port) {
    this.port = port;
    try {
      this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("link").start(this::accept);
  }

  /** To this port of the local machine. */
  public static Link to(int port) {
    return new Link(port);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public void freeze() {
    setFrozen(true);
  }

  public void thaw() {
    setFrozen(false);
  }

  private void setFrozen(boolean now) {
    lock.lock();
    try {
      frozen = now;
      thawed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var near = listener.accept();
        var far = new Socket(InetAddress.getLoopbackAddress(), port);
        Thread.ofVirtual().start(() -> pump(near, far));
        Thread.ofVirtual().start(() -> pump(far, near));
      } catch (IOException e) {
        // Closed by us, or the other end is not there: the client sees it soon enough.
        continue;
      }
    }
  }

  private void pump(Socket from, Socket to) {
    sockets.add(from);
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      var bytes = new byte[16_384];
      for (var count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        awaitThawed();
        out.write(bytes, 0, count);
      }
    } catch (IOException | InterruptedException e) {
      // One end has gone, and takes the other with it.
      return;
    } finally {
      sockets.remove(from);
    }
  }

  private void awaitThawed() throws InterruptedException {
    lock.lock();
    try {
      while (frozen) {
        thawed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    thaw();
    try {
      listener.close();
      for (var socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
