package ch.ethz.mlmq.log;

import ch.ethz.mlmq.config.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The third log of a JVM, java.util.logging: for people. */
public final class PeopleLog {
    private PeopleLog() {
    }

    /**
     * Takes levels and handlers from a properties file of java.util.logging.
     *
     * @throws ConfigurationException if the file cannot be read
     */
    public static void configure(Path properties) {
        try (InputStream in = Files.newInputStream(properties)) {
            LogManager.getLogManager().readConfiguration(in);
        } catch (IOException e) {
            throw ConfigurationException.unreadable(properties.toString(), e);
        }
    }

    /** Logs warnings, and messages of this program, as one line each on standard error. */
    public static void configureDefault() {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        try (InputStream in = PeopleLog.class.getResourceAsStream("/logging.properties")) {
            LogManager.getLogManager().readConfiguration(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Also writes log records to the JVM's file, one line each. */
    public static void writeTo(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        FileHandler handler = new FileHandler(file.toString().replace("%", "%%"), true);
        handler.setFormatter(new OneLine());
        Logger.getLogger("").addHandler(handler);
    }

    /** Keeps the log open until then, even if the JVM is asked to end; see {@link Manager}. */
    static void keepOpenUntil(CountDownLatch finished) {
        if (LogManager.getLogManager() instanceof Manager manager) {
            manager.finished = finished;
        }
    }

    /**
     * Closes the log after the JVM's last record. The JDK's own manager closes it as soon as the JVM is asked to end,
     * while other threads may still log. The JDK finds this class by the system property
     * {@code java.util.logging.manager}.
     */
    public static final class Manager extends LogManager {
        private volatile CountDownLatch finished = new CountDownLatch(0);

        @Override
        public void reset() {
            try {
                finished.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            super.reset();
        }
    }

    /** Formats a record as one line with its time in UTC, followed by the stack trace of a thrown exception. */
    public static final class OneLine extends Formatter {
        @Override
        public String format(LogRecord event) {
            String line = String.format("%1$tFT%1$tT.%1$tLZ %2$s %3$s %4$s%n",
                    event.getInstant().atZone(ZoneOffset.UTC), event.getLevel(), Thread.currentThread().getName(),
                    formatMessage(event));
            return event.getThrown() == null ? line : line + trace(event.getThrown());
        }

        private static String trace(Throwable thrown) {
            StringWriter text = new StringWriter();
            thrown.printStackTrace(new PrintWriter(text, true));
            return text.toString();
        }
    }
}
