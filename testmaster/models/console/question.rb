# SQL with values, which never become part of its text. Its last statement must be a SELECT. Its rows return as JSON,
# limited to what a page can show.
class Console::Question
  LONGEST = 4.megabytes

  attr_reader :statements

  # Statements refer to values as %{name}.
  def initialize(*texts, **values)
    @statements = [ *texts[0..-2], as_json(texts.last) ].map { |text| bind(text, values) }
  end

  private
    def as_json(text)
      "SELECT CASE WHEN octet_length(said.text) <= #{LONGEST} THEN said.text END FROM (" \
        "SELECT coalesce(json_agg(answer), '[]')::text AS text FROM (#{text}) answer) said"
    end

    # Returns [ "… $1 …", [ value ] ].
    def bind(text, values)
      used = []
      bound = text.squish.gsub(/%\{(\w+)\}/) do
        used << $1.to_sym unless used.include?($1.to_sym)
        "$#{used.index($1.to_sym) + 1}"
      end
      [ bound, used.map { |name| values.fetch(name).to_s } ]
    end
end
