package ch.ethz.mlmq.log_analyzer.profile;

import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * All parts of a profile's page as a zip: {@code index.json} lists them; for each part {@code PART.WHAT.json} has the
 * tables and {@code PART.WHAT.svg} the flame graph.
 */
public final class ProfileParts {
    private static final int MOST_OF_A_KIND = 60;
    private static final int ROWS = 40;
    private static final double PER_CENT = 100;

    private record Part(String key, String kind, String name, Predicate<Profile.Key> wanted) {
    }

    private final Profile profile;
    private final double confidence;

    public ProfileParts(Profile profile, double confidence) {
        this.profile = profile;
        this.confidence = confidence;
    }

    public void writeTo(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file); ZipOutputStream zip = new ZipOutputStream(out)) {
            StringWriter index = new StringWriter();
            try (JsonGenerator json = new JsonFactory().createGenerator(index)) {
                json.writeStartObject();
                writeFacts(json);
                json.writeArrayFieldStart("parts");
                for (Part part : parts()) {
                    json.writeStartObject();
                    json.writeStringField("key", part.key());
                    json.writeStringField("kind", part.kind());
                    json.writeStringField("name", part.name());
                    for (ProfileKind what : ProfileKind.values()) {
                        json.writeNumberField(word(what), write(zip, part, what));
                    }
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            put(zip, "index.json", index.toString());
        }
    }

    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part("all", "all", "All JVMs", key -> true));
        List<String> roles = profile.jvms().stream().map(Profile.Jvm::role).distinct().toList();
        if (roles.size() > 1) {
            roles.forEach(role -> parts.add(new Part("role_" + role, "role", role, key -> key.role().equals(role))));
        }
        List<String> tiers = profile.keys().stream().map(Profile.Key::threads).distinct().sorted().limit(MOST_OF_A_KIND)
                .toList();
        for (int i = 0; i < tiers.size(); i++) {
            String tier = tiers.get(i);
            parts.add(new Part("tier_" + i, "tier", tier, key -> key.threads().equals(tier)));
        }
        if (profile.jvms().size() > roles.size()) {
            profile.jvms().stream().map(Profile.Jvm::name).limit(MOST_OF_A_KIND)
                    .forEach(jvm -> parts.add(new Part("jvm_" + jvm, "jvm", jvm, key -> key.jvm().equals(jvm))));
        }
        return parts;
    }

    /** @return number of samples; without any, nothing is written */
    private long write(ZipOutputStream zip, Part part, ProfileKind what) throws IOException {
        CallTree tree = profile.tree(what, part.wanted());
        long samples = tree.samples();
        if (samples > 0) {
            String name = part.key() + "." + word(what);
            put(zip, name + ".json", tables(tree, what, samples));
            String title = "Flame graph of " + what.words() + ", " + part.name() + ", " + samples + " samples";
            put(zip, name + ".svg", new FlameGraph(tree, null, title).svg(false));
        }
        return samples;
    }

    private String tables(CallTree tree, ProfileKind what, long samples) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("samples", samples);
            json.writeNumberField("weight", Math.round(tree.root().whole()));
            json.writeStringField("unit", what.unit());
            for (Granularity by : Granularity.values()) {
                json.writeArrayFieldStart(by.name().toLowerCase(Locale.ROOT));
                for (Shares.Share share : new Shares(tree, by).top(ROWS)) {
                    Interval interval = share.self().interval(confidence);
                    json.writeStartObject();
                    json.writeStringField("name", share.name());
                    json.writeNumberField("samples", share.samples());
                    percent(json, "share", share.self().share());
                    percent(json, "low", interval.low());
                    percent(json, "high", interval.high());
                    percent(json, "with_called", share.whole().share());
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        return text.toString();
    }

    private void writeFacts(JsonGenerator json) throws IOException {
        if (profile.phase().isPresent()) {
            json.writeNumberField("from_ms", profile.phase().get().fromMs());
            json.writeNumberField("to_ms", profile.phase().get().toMs());
        }
        json.writeArrayFieldStart("notes");
        for (String note : profile.notes()) {
            json.writeString(note);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("jvms");
        for (Profile.Jvm jvm : profile.jvms()) {
            json.writeStartObject();
            json.writeStringField("name", jvm.name());
            if (jvm.recorded().isPresent()) {
                json.writeNumberField("from_ms", jvm.recorded().get().fromMs());
                json.writeNumberField("to_ms", jvm.recorded().get().toMs());
            }
            if (!Double.isNaN(jvm.user())) {
                percent(json, "user", jvm.user());
                percent(json, "system", jvm.system());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void percent(JsonGenerator json, String name, double share) throws IOException {
        json.writeFieldName(name);
        json.writeNumber(Figures.rounded(share * PER_CENT, 3));
    }

    private static String word(ProfileKind what) {
        return what.name().toLowerCase(Locale.ROOT);
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
