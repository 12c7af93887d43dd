package ch.ethz.mlmq.log_analyzer.command;

/** How a profile is written. */
enum ProfileFormat {
    TEXT, CSV, JSON, FOLDED, SVG, PARTS
}
