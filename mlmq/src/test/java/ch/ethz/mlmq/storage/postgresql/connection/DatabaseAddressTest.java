package ch.ethz.mlmq.storage.postgresql.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseAddressTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://localhost:5432/postgres, jdbc:postgresql://localhost:5432/mlmq",
        "jdbc:postgresql://localhost:5432/, jdbc:postgresql://localhost:5432/mlmq",
        "jdbc:postgresql://localhost:5432, jdbc:postgresql://localhost:5432/mlmq",
        "jdbc:postgresql://[::1]:5432, jdbc:postgresql://[::1]:5432/mlmq",
        "jdbc:postgresql://a:1?sslmode=require, jdbc:postgresql://a:1/mlmq?sslmode=require",
        "jdbc:postgresql://a:1/b?sslrootcert=/c/d, jdbc:postgresql://a:1/mlmq?sslrootcert=/c/d",
        "jdbc:postgresql:postgres, jdbc:postgresql:mlmq",
        "jdbc:postgresql:, jdbc:postgresql:mlmq"
    })
    void shouldNameAnotherDatabaseOfTheSameServer(String url, String expected) {
        assertThat(new DatabaseAddress(url, "mlmq", "").withDatabase("mlmq").url()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://localhost:5432, jdbc:postgresql://localhost:5432/postgres",
        "jdbc:postgresql://a:1/?ssl=true, jdbc:postgresql://a:1/postgres?ssl=true",
        "jdbc:postgresql://a:1?sslrootcert=/c/d, jdbc:postgresql://a:1/postgres?sslrootcert=/c/d",
        "jdbc:postgresql:, jdbc:postgresql:postgres",
        "jdbc:postgresql:b, jdbc:postgresql:b",
        "jdbc:postgresql://a:1/b?sslrootcert=/c/d, jdbc:postgresql://a:1/b?sslrootcert=/c/d"
    })
    void shouldNameTheDatabasePostgresWhereNoneIsNamed(String url, String expected) {
        assertThat(new DatabaseAddress(url, "mlmq", "").orPostgres().url()).isEqualTo(expected);
    }
}
