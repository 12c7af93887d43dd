# Reads an experiment from the form, or from a definition (YAML, or JSON with its words). The form has the fields of a
# run, which all runs share. The other fields are converted into the words of the definition, so that one parser
# reads both.
module ExperimentParams
  include TestRunParams

  PLAIN = %i[ kind design repetitions until at_most order seed again start response generators points ]
  FIND = %i[ path from to until within by ]
  FACTOR = %i[ name unit setting paths levels ]

  private
    # Returns the experiment.
    def define(experiment)
      if params[:definition]
        experiment.definition = params[:definition].try(:to_unsafe_h) || params[:definition]
      elsif params[:example]
        experiment.definition = Example.find(params[:example].to_s).definition
      else
        define_by_form experiment, fields_of(:experiment).permit(*PLAIN, factors: FACTOR, find: FIND)
      end
      experiment
    end

    # The run keeps the passwords that it has, and what is wrong in the form.
    def define_by_form(experiment, fields)
      @typed = fields
      run = experiment.base_run.tap { |it| it.assign_attributes form_params }
      experiment.definition = { **run.to_definition, "experiment" => words_of(fields) }
      experiment.base_run = run
    end

    def words_of(fields)
      further = fields.slice(:again, :start, :response, :repetitions).to_h.compact_blank
      return { "find" => find_of(fields[:find]), **further } if search?(fields)

      { "design" => fields[:design], "factors" => Array(fields[:factors]).map { |factor| factor_of(factor) }.compact,
        "repetitions" => repetitions_of(fields), "generators" => values_in(fields[:generators]).presence,
        "points" => points_of(fields[:points]).presence,
        **fields.slice(:order, :seed, :again, :start, :response).to_h.compact_blank }.compact
    end

    # Programs may leave out the kind.
    def search?(fields)
      fields[:kind] ? fields[:kind] == "find" : fields[:find]&.values_at(:from, :to)&.any?(&:present?)
    end

    def repetitions_of(fields)
      return fields[:repetitions] if fields[:until].blank?

      { "until" => fields[:until], "at_most" => fields[:at_most] }.compact_blank
    end

    def find_of(fields)
      fields ||= {}
      { **fields.slice(:path, :from, :to, :within, :by).to_h.compact_blank,
        "until" => fields[:until].to_s.split(/[\r\n,]+/).map(&:strip).reject(&:empty?) }
    end

    # Empty rows are ignored.
    def factor_of(fields)
      return if fields.to_h.values.all?(&:blank?)

      paths = fields[:setting].presence || fields[:paths].to_s
      { "name" => paths.split(".").last, **fields.slice(:name, :unit).to_h.compact_blank,
        "levels" => values_in(fields[:levels]), **paths_of(paths) }.compact
    end

    # The text is a path such as "brokers.0.settings.workers", or lines such as "clients.0.clients = 8, 16".
    def paths_of(text)
      lines = text.lines.map(&:strip).reject(&:empty?)
      return { "path" => lines.one? ? lines.first : lines } if lines.none? { |line| line.include?("=") }

      { "paths" => lines.to_h { |line| line.split("=", 2).map(&:strip).then { |path, values|
 [ path, values_in(values) ] } } }
    end

    def values_in(text)
      text.to_s.split(",").map(&:strip).reject(&:empty?)
    end

    # Each line is a point, such as "workers 4, clients 15".
    def points_of(text)
      text.to_s.lines.map(&:strip).reject(&:empty?).map do |line|
        values_in(line).to_h { |pair| pair.rpartition(/[ =:]/).values_at(0, 2).map(&:strip) }
      end
    end
end
