package ch.ethz.mlmq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    private static final KeyRegistry REGISTRY = KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL);

    @Test
    void shouldTakeDefaultsWhereNothingIsSaid() {
        Settings settings = Settings.of(REGISTRY, Map.of());

        assertThat(settings.get(BrokerKeys.MAX_CLIENTS)).isEqualTo(2_000);
        assertThat(settings.get(BrokerKeys.DEDUP_WINDOW)).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.get(BrokerKeys.STORAGE)).isEqualTo(StorageKind.POSTGRESQL);
    }

    @Test
    void shouldReadAFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("config.properties");
        Files.writeString(file, "broker.workers = 8 \nbroker.shedding=drop\n# broker.port=1\n");

        Settings settings = Settings.load(REGISTRY, file);

        assertThat(settings.get(BrokerKeys.WORKERS)).isEqualTo(8);
        assertThat(settings.get(BrokerKeys.SHEDDING)).isEqualTo(Shedding.DROP);
        assertThat(settings.get(BrokerKeys.PORT)).isZero();
    }

    @Test
    void shouldNameTheNearestKeyForAnUnknownOne() {
        assertThatThrownBy(() -> Settings.of(REGISTRY, Map.of("broker.worker", "8")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("unknown key broker.worker; did you mean broker.workers?");
    }

    @Test
    void shouldNameFileKeyAndRangeForAValueOutsideIt(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("config.properties");
        Files.writeString(file, "broker.workers=1000\n");

        assertThatThrownBy(() -> Settings.load(REGISTRY, file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(file + ": broker.workers=1000: must be 0..512");
    }

    @Test
    void shouldSayThatAFileIsMissing(@TempDir Path folder) {
        Path file = folder.resolve("none.properties");

        assertThatThrownBy(() -> Settings.load(REGISTRY, file)).hasMessage(file + ": no such file");
    }

    @Test
    void shouldSayWhichKeyMustBeGiven() {
        Settings settings = Settings.of(REGISTRY, Map.of());

        assertThatThrownBy(() -> settings.get(CommonKeys.MY_TYPE)).isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("common.scenario.mytype is missing");
    }

    @Test
    void shouldNotShowASecret() {
        Key<String> secret = new Key<>("pin", String.class, Grammar.of("digits", text -> {
            throw new IllegalArgumentException("must be digits");
        }), null, "", "", true);

        assertThatThrownBy(() -> secret.parse("hunter2")).hasMessage("pin=…: must be digits");
    }
}
