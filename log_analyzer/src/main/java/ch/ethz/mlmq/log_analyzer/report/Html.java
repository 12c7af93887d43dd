package ch.ethz.mlmq.log_analyzer.report;

import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Builds a page; all text is escaped. */
final class Html {
    private static final String STYLE = "style.css";
    private static final MathContext SHOWN = new MathContext(6);

    private final StringBuilder page = new StringBuilder();

    /** @return a page with its head, in the middle of its body */
    static Html page(String title) throws IOException {
        Html page = new Html();
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n");
        return page.element("title", title).raw("<style>\n" + style() + "</style>\n</head>\n<body>\n");
    }

    private static String style() throws IOException {
        try (InputStream in = Html.class.getResourceAsStream(STYLE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** @return the text with HTML's special characters escaped */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    Html element(String name, String text) {
        return element(name, "", text);
    }

    /** @param style class of the element, may be empty */
    Html element(String name, String style, String text) {
        page.append('<').append(name).append(style.isEmpty() ? "" : " class=\"" + escaped(style) + "\"").append('>')
                .append(escaped(text)).append("</").append(name).append(">\n");
        return this;
    }

    /** Adds HTML without escaping. */
    Html raw(String html) {
        page.append(html);
        return this;
    }

    Html table(String caption, Table table) {
        page.append("<div class=\"wide\"><table>\n<caption>").append(escaped(caption))
                .append("</caption>\n<thead><tr>");
        for (int i = 0; i < table.columns().size(); i++) {
            page.append("<th scope=\"col\"").append(figure(table, i)).append('>')
                    .append(escaped(table.columns().get(i))).append("</th>");
        }
        page.append("</tr></thead>\n<tbody>\n");
        for (List<Object> row : table.rows()) {
            page.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                page.append("<td").append(figure(table, i)).append('>').append(escaped(text(row.get(i))))
                        .append("</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div>\n");
        return this;
    }

    @Override
    public String toString() {
        return page.toString();
    }

    private static String figure(Table table, int column) {
        return table.rows().stream().anyMatch(row -> row.get(column) instanceof Number) ? " class=\"figure\"" : "";
    }

    private static String text(Object cell) {
        if (cell instanceof Double number) {
            return Figures.forPeople(number);
        }
        if (cell instanceof BigDecimal number) {
            return Figures.grouped(number.round(SHOWN).stripTrailingZeros().toPlainString());
        }
        if (cell instanceof Number) {
            return Figures.grouped(cell.toString());
        }
        return Objects.toString(cell, "–");
    }
}
