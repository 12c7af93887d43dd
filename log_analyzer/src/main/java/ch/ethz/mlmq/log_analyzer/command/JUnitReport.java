package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.FailIf;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes the outcome of limits in the JUnit XML format that CI servers read. */
final class JUnitReport {
    private JUnitReport() {
    }

    /**
     * One limit for one run.
     *
     * @param words how it was broken, or why that is unknown, in a sentence; empty if it was kept
     */
    record Case(String run, String limit, FailIf.Outcome outcome, String words) {
    }

    static void write(Path file, List<Case> cases) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", "log_analyzer compare");
            xml.writeAttribute("tests", Integer.toString(cases.size()));
            xml.writeAttribute("failures", count(cases, FailIf.Outcome.BROKEN));
            xml.writeAttribute("skipped", count(cases, FailIf.Outcome.UNTOLD));
            for (Case each : cases) {
                write(xml, each);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static String count(List<Case> cases, FailIf.Outcome outcome) {
        return Long.toString(cases.stream().filter(each -> each.outcome() == outcome).count());
    }

    private static void write(XMLStreamWriter xml, Case each) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", legal(each.run()));
        xml.writeAttribute("name", legal(each.limit()));
        if (each.outcome() != FailIf.Outcome.KEPT) {
            xml.writeStartElement(each.outcome() == FailIf.Outcome.BROKEN ? "failure" : "skipped");
            xml.writeAttribute("message", legal(each.words()));
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    /** @return the text without characters that XML 1.0 cannot represent, even escaped */
    private static String legal(String text) {
        return text.codePoints().map(c -> c >= ' ' && !Character.isISOControl(c) && c != 0xFFFE && c != 0xFFFF
                && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? c : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
