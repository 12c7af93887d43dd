package ch.ethz.mlmq.steering;

import java.util.List;

/** Executes one command of the command file. */
@FunctionalInterface
public interface CommandHandler {
    /**
     * @param arguments the words after the command's name
     * @return one line for {@code .result}
     * @throws CommandRefusedException if the arguments are invalid
     * @throws Exception               if the command failed
     */
    String execute(List<String> arguments) throws Exception;
}
