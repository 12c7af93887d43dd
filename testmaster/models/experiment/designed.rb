# Keeps the factors and the points that they give. They are rebuilt whenever a draft is defined again, and validated
# before anything starts.
module Experiment::Designed
  extend ActiveSupport::Concern

  MOST_RUNS = 1_000
  SHOWN = 3 # mistakes of a kind that are shown

  included do
    attr_accessor :listed_points
    validate :definition_can_be_varied, if: :redefined?
    before_save :lay_out_points, if: :redefined?
  end

  def kept_factors
    factors.reject(&:marked_for_destruction?)
  end

  # Returns [ { "workers" => 8, … }, … ].
  def planned_points
    redefined? ? planned_design.points : points.map(&:levels)
  end

  def planned_design
    Experiment::Design.named(design, kept_factors, generators: generators,
      points: listed_points || (design == "points" ? points.map(&:levels) : []))
  end

  # Returns the common definition of the runs at this point. label follows the name of the experiment.
  def definition_at(levels, label = nil)
    pairs = levels.flat_map { |name, level| kept_factors.find { |factor| factor.name == name }.settings_at(level) }
    definition = Experiment::Path.set(base_definition, pairs)
    definition["name"] = [ name.to_s.truncate(label ? 60 : 100), label ].compact.join(", ").truncate(100)
    starts_from == "fresh" ? without_filling(definition) : definition
  end

  def run_at(levels, label = nil)
    TestRun.from_definition(definition_at(levels, label)).tap { |run| run.creator = creator }
  end

  def find?
    find.present?
  end

  # Returns the point of a search at this level, or a new one. A new point is not added to the association, as it would
  # be saved with the experiment.
  def point_at(level)
    plain = level % 1 == 0 ? level.to_i : level
    points.find { |point| point.levels.values == [ plain ] } ||
      Experiment::Point.new(experiment_id: id, number: points.map(&:number).max.to_i + 1,
        levels: { factors.sole.name => plain })
  end

  # Saves a new point of a search, with its level.
  def keep_point(point)
    factor, level = factors.sole, point.levels.values.sole
    transaction do
      factor.update! levels: factor.levels + [ level ],
        paths: factor.paths.transform_values { |values| values + [ search.written(level) ] } unless
          factor.levels.include?(level)
      points.create! point.slice(:number, :levels)
    end
  end

  # Returns "2^3", "2^(4−1)", or words.
  def design_in_words
    case design
    when "find" then "the highest #{kept_factors.first&.name} from #{find["from"]} to #{find["to"]} that holds" \
      "#{", within one run" if by_steps?}"
    when "2k"   then "2^#{kept_factors.size} design"
    when "2k-p" then "2^(#{kept_factors.size}−#{generators.size}) design (#{generators.join(", ")})"
    when "grid" then kept_factors.one? ? "one factor" : "full grid of #{kept_factors.size} factors"
    else Experiment::Design.all.fetch(design).label
    end
  end

  private
    def redefined?
      !!@redefined
    end

    def lay_out_points
      levels = find? ? [] : planned_points
      points.each(&:mark_for_destruction)
      levels.each_with_index { |point, n| points.build number: n + 1, levels: point }
      @redefined = false
    end

    def without_filling(definition)
      settings = definition["database_settings"]
      settings.is_a?(Hash) ? definition.merge("database_settings" => settings.except("fill")) : definition
    end

    # Errors come in this order: the base, each factor, the design, each level, the points.
    def definition_can_be_varied
      return if mistakes_in_definition.any?

      [ :complain_of_base, :complain_of_factors, :complain_of_design, :complain_of_levels, :complain_of_points ]
        .each { |step| errors.any? ? break : send(step) }
    end

    # Errors use the words of a run.
    def complain_of_base
      run = base_run
      run.validate
      run.errors.full_messages.first(20).each { |message| errors.add :base, message }
      if starts_from == "refilled" && run.database_settings["fill"].blank?
        errors.add :base, "start is refilled, but database_settings.fill does not say with what, such as 20,6000,100"
      end
    end

    def complain_of_factors
      known = Experiment::Path.all_in(base_definition)
      kept_factors.each do |factor|
        factor.paths.each_key do |path|
          complaint = Experiment::Path.complaint_about(path, known) ||
            Experiment::Path.complaint_about_rate(path, base_run.definition)
          errors.add :base, "Factor #{factor.name}: path #{path.truncate(100)} #{complaint}" if complaint
        end
      end
      complain_of_contradictions
    end

    def complain_of_contradictions
      names = kept_factors.map(&:name)
      names.tally.each { |name, n| errors.add :base, "factors: #{name} is there #{n} times" if n > 1 }
      kept_factors.flat_map { |factor| factor.paths.keys.map { |path| [ path, factor.name ] } }.group_by(&:first)
        .each do |path, pairs|
          if pairs.many?
            errors.add :base, "factors #{pairs.map(&:last).to_sentence} contradict each other: both set #{path}"
          end
        end
      reserved = %w[ run point repetition state reason ] & names
      if reserved.any?
        errors.add :base, "factors: #{reserved.first} is a column of the table of runs: choose another name"
      end
    end

    def complain_of_design
      return if find?

      planned_design.complaints.first(SHOWN).each { |complaint| errors.add :base, complaint }
      if errors.none? && runs_planned > MOST_RUNS
        errors.add :base, "experiment: #{runs_planned} runs are planned (#{planned_design.size} points), and " \
          "#{MOST_RUNS} are allowed: take fewer levels or repetitions, or a design of fewer points"
      end
      complain_of_listed_levels if design == "points"
    end

    def complain_of_listed_levels
      kept_factors.each do |factor|
        strange = planned_points.map { |point| point[factor.name] }.uniq - factor.levels
        if strange.any?
          errors.add :base, "points: #{factor.name} has no level #{strange.first}; its levels are " \
            "#{factor.levels.join(", ")}"
        end
      end
    end

    # Each level is checked alone, so that the error names it.
    def complain_of_levels
      kept_factors.each do |factor|
        factor.levels.each do |level|
          mistakes = mistakes_at({ factor.name => level })
          if mistakes.any?
            errors.add :base, "Factor #{factor.name}: levels: #{level.to_s.truncate(50)} does not fit " \
              "#{factor.paths.keys.to_sentence.truncate(200)}: #{mistakes.first(SHOWN).to_sentence}"
            break
          end
        end
      end
    end

    def complain_of_points
      (find? ? [] : planned_points).each_with_index do |levels, n|
        mistakes = mistakes_at(levels)
        next if mistakes.empty?

        words = levels.map { |name, level| "#{name} #{level}" }.join(", ")
        errors.add :base, "points: the #{(n + 1).ordinalize} (#{words}) cannot be run: " \
          "#{mistakes.first(SHOWN).to_sentence}"
        break
      end
    end

    def mistakes_at(levels)
      run = run_at(levels)
      run.valid? ? [] : run.errors.full_messages
    rescue Testmaster::Overrides::Error => error
      [ error.message ]
    end
end
