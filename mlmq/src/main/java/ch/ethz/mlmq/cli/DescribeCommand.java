package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.scenario.jvm.Catalogue;
import ch.ethz.mlmq.scenario.link.Drivers;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code describe}: shows keys, scenarios and drivers as JSON. */
@Command(name = "describe", description = {"Print all keys, scenarios and drivers as JSON.",
    "This command generates config/mlmq/catalogue.json and the driver.json of each driver in a checkout."})
final class DescribeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DRIVER", arity = "0..1", description = "print only this driver, which is on the class "
            + "path (default: everything)")
    private String driver;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(driver == null ? Catalogue.describe()
                : Catalogue.describe(Drivers.named(driver)));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
