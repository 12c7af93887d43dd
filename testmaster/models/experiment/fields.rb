# The fields of a form, which are converted into the words of a definition, so that one parser reads both.
class Experiment::Fields
  def initialize(fields)
    @fields = fields
  end

  # Returns the words below "experiment".
  def words
    search? ? words_of_search : words_of_design
  end

  private
    attr_reader :fields

    # Programs may leave out the kind.
    def search?
      fields[:kind] ? fields[:kind] == "find" : fields[:find]&.values_at(:from, :to)&.any?(&:present?)
    end

    def words_of_search
      { "find" => find, **filled(fields, :again, :start, :response, :repetitions) }
    end

    def words_of_design
      { "design" => fields[:design], "factors" => Array(fields[:factors]).map { |factor| factor_of(factor) }.compact,
        "repetitions" => repetitions, "generators" => values_in(fields[:generators]).presence,
        "points" => points.presence, **filled(fields, :order, :seed, :again, :start, :response) }.compact
    end

    def filled(fields, *names)
      fields.slice(*names).to_h.compact_blank
    end

    def find
      given = fields[:find] || {}
      { **filled(given, :path, :from, :to, :within, :by),
        "until" => given[:until].to_s.split(/[\r\n,]+/).map(&:strip).reject(&:empty?) }
    end

    def repetitions
      return fields[:repetitions] if fields[:until].blank?

      { "until" => fields[:until], "at_most" => fields[:at_most] }.compact_blank
    end

    # Empty rows are ignored.
    def factor_of(row)
      return if row.to_h.values.all?(&:blank?)

      paths = row[:setting].presence || row[:paths].to_s
      { "name" => paths.split(".").last, **filled(row, :name, :unit), "levels" => values_in(row[:levels]),
        **paths_of(paths) }.compact
    end

    # The text is a path such as "brokers.0.settings.workers", or lines such as "clients.0.clients = 8, 16".
    def paths_of(text)
      lines = lines_in(text)
      return { "path" => lines.one? ? lines.first : lines } if lines.none? { |line| line.include?("=") }

      { "paths" => lines.to_h { |line|
        path, values = line.split("=", 2).map(&:strip)
        [ path, values_in(values) ]
      } }
    end

    # Each line is a point, such as "workers 4, clients 15".
    def points
      lines_in(fields[:points]).map do |line|
        values_in(line).to_h { |pair| pair.rpartition(/[ =:]/).values_at(0, 2).map(&:strip) }
      end
    end

    def lines_in(text)
      text.to_s.lines.map(&:strip).reject(&:empty?)
    end

    def values_in(text)
      text.to_s.split(",").map(&:strip).reject(&:empty?)
    end
end
