package ch.ethz.mlmq.contract;

import ch.ethz.mlmq.config.StorageKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of what every storage that keeps messages must do; it takes the {@link StorageKind}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@EnumSource(value = StorageKind.class, names = {"MEMORY", "POSTGRESQL"})
@interface OnEveryStorage {
}
