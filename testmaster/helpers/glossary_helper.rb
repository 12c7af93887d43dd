module GlossaryHelper
  # Returns the text, underlined, with the glossary's sentence, which shows while somebody points at it or selects it.
  def term(text, of: text)
    tag.span text, class: "term", tabindex: 0, "aria-description": Glossary[of]
  end

  # Returns the label of a figure, explained if the glossary has it.
  def figure_term(figure)
    Glossary.terms.key?(figure.name) ? term(figure.label, of: figure.name) : figure.label
  end
end
