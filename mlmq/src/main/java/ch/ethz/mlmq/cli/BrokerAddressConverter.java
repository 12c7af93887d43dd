package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.client.BrokerAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code host:port} from a command line. */
final class BrokerAddressConverter implements ITypeConverter<BrokerAddress> {
    @Override
    public BrokerAddress convert(String text) {
        try {
            return BrokerAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
