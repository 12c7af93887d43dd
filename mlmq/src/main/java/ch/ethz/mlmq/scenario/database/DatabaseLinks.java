package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.db.DatabaseAddress;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Links straight to PostgreSQL: a connection and a thread for each client, and no broker between. */
public final class DatabaseLinks implements LinkFactory {
    private static final Logger LOG = Logger.getLogger(DatabaseLinks.class.getName());
    private static final String QUERY_CANCELED = "57014";

    private final DatabaseAddress address;
    private final Settings settings;

    /** @param settings name the database; its password is in the environment */
    public DatabaseLinks(Settings settings) {
        this.settings = settings;
        this.address = new DatabaseAddress(settings.get(ClientKeys.DB_URL), settings.get(ClientKeys.DB_USER),
                DatabaseAddress.passwordFrom(""));
    }

    @Override
    public Link open(ClientId id, Runnable changed) {
        DatabaseLink link = new DatabaseLink(id, changed);
        link.thread.execute(FatalError.guarded(link::connect));
        return link;
    }

    @Override
    public String target() {
        return "the database " + address;
    }

    @Override
    public void close() {
        // each link ends its own thread and connection
    }

    /** One client's connection, used by one thread. */
    private final class DatabaseLink implements Link {
        private final ClientId id;
        private final Runnable changed;
        private final ScheduledExecutorService thread;
        private volatile DatabaseSession session;
        private volatile String state = "not connected yet";
        private volatile boolean closed;

        private DatabaseLink(ClientId id, Runnable changed) {
            this.id = id;
            this.changed = changed;
            this.thread = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread made = new Thread(work, "database-" + id.number());
                made.setDaemon(true);
                return made;
            });
        }

        @Override
        public Status submit(Request request, Completion completion) {
            if (!isConnected()) {
                return Status.NOT_CONNECTED;
            }
            thread.execute(FatalError.guarded(() -> execute(request, completion)));
            return Status.OK;
        }

        @Override
        public boolean isConnected() {
            return session != null && !closed;
        }

        @Override
        public String state() {
            return state;
        }

        @Override
        public CompletableFuture<Void> close() {
            closed = true;
            CompletableFuture<Void> done = CompletableFuture.runAsync(this::disconnect, thread);
            thread.shutdown();
            return done;
        }

        private void connect() {
            if (closed) {
                return;
            }
            try {
                session = new DatabaseSession(address.connect(), id.number() + 1,
                        settings.get(ClientKeys.TIMEOUT).toMillis());
                state = "connected";
            } catch (SQLException e) {
                state = String.valueOf(e.getMessage()).lines().findFirst().orElse("no connection");
                thread.schedule(FatalError.guarded(this::connect), settings.get(ClientKeys.BACKOFF).toMillis(),
                        TimeUnit.MILLISECONDS);
            }
            changed.run();
        }

        private void disconnect() {
            DatabaseSession ended = session;
            session = null;
            if (ended != null) {
                try {
                    ended.close();
                } catch (SQLException e) {
                    LOG.log(Level.FINE, "a connection that is of no use any more", e);
                }
            }
            changed.run();
        }

        private void execute(Request request, Completion completion) {
            long sent = System.nanoTime();
            Response response = null;
            Status status;
            DatabaseSession current = session;
            try {
                if (current == null) {
                    status = Status.CONNECTION_LOST;
                } else {
                    response = current.execute(request);
                    status = response instanceof Response.Failure failure ? failure.status() : Status.OK;
                }
            } catch (SQLException e) {
                status = failed(e);
                response = status == Status.BROKER_ERROR ? new Response.Failure(status, String.valueOf(e.getMessage()))
                        : null;
            }
            completion.completed(0, status, response, sent, System.nanoTime());
        }

        /** A connection is made anew after whatever is not the fault of one statement: class 08 and 57P. */
        private Status failed(SQLException e) {
            if (QUERY_CANCELED.equals(e.getSQLState())) {
                return Status.TIMEOUT;
            }
            String sqlState = String.valueOf(e.getSQLState());
            if (sqlState.startsWith("08") || sqlState.startsWith("57P")) {
                state = String.valueOf(e.getMessage()).lines().findFirst().orElse("the connection was lost");
                disconnect();
                connect();
                return Status.CONNECTION_LOST;
            }
            return Status.BROKER_ERROR;
        }
    }
}
