package ch.ethz.mlmq.steering;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Begins what takes a while; other commands are carried out meanwhile. */
@FunctionalInterface
public interface LastingCommand {
    /**
     * @param arguments the words after the command's name
     * @return one line for {@code .result}, once it is done
     * @throws CommandRefusedException where it makes no sense as written, or now
     */
    CompletableFuture<String> begin(List<String> arguments) throws CommandRefusedException;
}
