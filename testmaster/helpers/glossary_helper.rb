module GlossaryHelper
  IN_TEXTS = /\b(MSER-5|measurement interval|open load|warm-up|thresholds?|p99)\b/

  # Returns the text, underlined, with the glossary's sentence, which shows while somebody points at it or selects it.
  def term(text, of: text)
    tag.span text, class: "term", tabindex: 0, "aria-description": Glossary[of]
  end

  # Returns the label of a figure, explained if the glossary has its name or the label without a percentile.
  def figure_term(figure)
    named = [ figure.name, figure.label.split(",").first.downcase ].find { |name| Glossary.terms.key?(name) }
    named ? term(figure.label, of: named) : figure.label
  end

  # Returns the title of a check, explained if the glossary has it.
  def check_title(check)
    singular = check.title.singularize.downcase
    Glossary.terms.key?(singular) ? term(check.title, of: singular) : check.title
  end

  # Returns a text with its terms explained.
  def with_terms(text)
    safe_join text.split(IN_TEXTS).each_with_index.map { |part, n| n.odd? ? term(part, of: part.singularize) : part }
  end
end
