package ch.ethz.mlmq.steering;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Begins a command that takes a while; other commands are executed meanwhile. */
@FunctionalInterface
public interface LastingCommand {
    /**
     * @param arguments the words after the command's name
     * @return one line for {@code .result} when the command has ended
     * @throws CommandRefusedException if the arguments are invalid, or the command is not possible now
     */
    CompletableFuture<String> begin(List<String> arguments) throws CommandRefusedException;
}
