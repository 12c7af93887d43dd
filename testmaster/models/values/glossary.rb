# Explains the project's terms: the table of docs/reference/glossary.md, which pages and docs share.
module Glossary
  PAGE = Rails.root.join("docs/reference/glossary.md")
  ROW = /^\| (?!term )([^|-][^|]*) \| ([^|]+) \|$/

  # Returns the sentence that explains a term; raises KeyError if the glossary lacks it.
  def self.[](term)
    terms.fetch(term.downcase)
  end

  # Returns [ [ terms, sentence ], … ] in the order of the page.
  def self.rows
    @rows ||= PAGE.read(encoding: Encoding::UTF_8).scan(ROW)
  end

  # Returns { term in lower case => sentence }. A row may name several terms.
  def self.terms
    @terms ||= rows.flat_map { |names, meaning|
      names.downcase.split(", ").map { |name| [ name, meaning ] }
    }.to_h
  end
end
