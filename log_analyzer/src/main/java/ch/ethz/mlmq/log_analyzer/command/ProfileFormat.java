package ch.ethz.mlmq.log_analyzer.command;

/** Formats of a profile. */
enum ProfileFormat {
    TEXT, CSV, JSON, FOLDED, SVG, PARTS
}
