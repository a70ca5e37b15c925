package io.tributary.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The network between a bridge and its database, which a test can break: a TCP proxy on this machine. A frozen connection
 * stays open at both ends and carries nothing, as when packets are dropped without a reset.
 */
public final class FaultyNetwork implements AutoCloseable {
    private static final int BUFFER = 16 << 10;

    private final int serverPort;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicLong delivered = new AtomicLong();
    private volatile long freezeAt = Long.MAX_VALUE;
    private volatile boolean newOnesFrozen;
    private ServerSocket listener;

    public FaultyNetwork(int serverPort) {
        this.serverPort = serverPort;
        try {
            this.listener = listen(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.port = listener.getLocalPort();
        accept(listener);
    }

    /** Where the bridge reaches the database. */
    public int port() {
        return port;
    }

    /** How many connections were accepted so far. */
    public int connections() {
        return accepted.get();
    }

    /** Resets every connection; new ones pass. */
    public void cut() {
        links.forEach(Link::reset);
    }

    /** Nothing passes any more, in either direction, on open and on new connections; nothing is reset. */
    public void freeze() {
        newOnesFrozen = true;
        links.forEach(link -> link.frozen(true));
    }

    /** Freezes when so many more bytes have come from the server. */
    public void freezeAfter(long bytes) {
        freezeAt = delivered.get() + bytes;
    }

    public boolean frozen() {
        return newOnesFrozen;
    }

    /** New connections pass; those that are frozen stay so for ever, as after a firewall forgot them. */
    public void passNewOnes() {
        freezeAt = Long.MAX_VALUE;
        newOnesFrozen = false;
    }

    /** Everything passes again, what was held back included. */
    public void pass() {
        passNewOnes();
        links.forEach(link -> link.frozen(false));
    }

    /** Resets every connection and refuses new ones until {@link #listenAgain()}. */
    public void refuse() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    public void listenAgain() {
        try {
            listener = listen(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accept(listener);
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    }

    private void accept(ServerSocket on) {
        daemon("network-" + port, () -> {
            while (true) {
                try {
                    Socket client = on.accept();
                    accepted.incrementAndGet();
                    new Link(client, newOnesFrozen).start();
                } catch (IOException e) {
                    // closed: nobody is accepted any more
                    return;
                }
            }
        });
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        refuse();
    }

    /** One connection through the network. */
    private final class Link {
        private final Socket client;
        private final Socket server = new Socket();
        private final AtomicInteger ended = new AtomicInteger();
        private boolean frozen;

        Link(Socket client, boolean frozen) {
            this.client = client;
            this.frozen = frozen;
            links.add(this);
        }

        void start() {
            daemon("network-" + port + "-up", () -> {
                try {
                    awaitPassage();
                    server.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
                } catch (IOException e) {
                    reset();
                    return;
                }
                daemon("network-" + port + "-down", () -> pump(server, client, true));
                pump(client, server, false);
            });
        }

        synchronized void frozen(boolean now) {
            frozen = now;
            notifyAll();
        }

        private synchronized void awaitPassage() throws IOException {
            try {
                while (frozen) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }

        private void pump(Socket from, Socket to, boolean fromServer) {
            byte[] buffer = new byte[BUFFER];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (fromServer && delivered.addAndGet(read) >= freezeAt) {
                        freeze();
                    }
                    awaitPassage();
                    out.write(buffer, 0, read);
                }
                awaitPassage();
                to.shutdownOutput();
                if (ended.incrementAndGet() == 2) {
                    reset();
                }
            } catch (IOException e) {
                reset();
            }
        }

        void reset() {
            links.remove(this);
            reset(client);
            reset(server);
            frozen(false);
        }

        private static void reset(Socket socket) {
            try (socket) {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // it is closed either way
                return;
            }
        }
    }
}
