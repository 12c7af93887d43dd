# Another run of the same definition with one change, which may pass the checks that this one did not, or carry a model.
class Outcome::Remedy
  KINDS = %w[ half_load longer_warmup again without_rate ]
  LONGER = 30 # seconds of warm-up

  attr_reader :kind

  # Returns the remedies for checks of a run, the likeliest first. Where other programs explain the checks, the first is
  # the same run again; each other changes something.
  def self.for(run, checks, disturbed: false)
    return [] if run.experiment

    [ *("again" if disturbed), *checks.flat_map(&:remedies) ].uniq.map { |kind| new(run, kind) }.select(&:possible?)
  end

  def initialize(run, kind)
    @run, @kind = run, kind
  end

  def possible?
    case kind
    when "half_load"    then rates.any? || counts.any? { |count| half(count) < count }
    when "without_rate" then rates.any?
    else true
    end
  end

  def label
    case kind
    when "half_load"     then "Run again with half the #{rates.any? ? "rate" : "clients"}"
    when "longer_warmup" then "Run again with #{LONGER} s more warm-up"
    when "without_rate"  then "Run again without a rate"
    else "Run again"
    end
  end

  # Returns a draft of the same commit if it can be built again.
  def draft
    run.again(run.measured_revision ? "measured" : "head").tap { |copy| send kind, copy }
  end

  private
    attr_reader :run

    def rates
      [ *run.definition.client_groups.map { |group| group.settings["rate"] },
        *run.load_plan.phases.map(&:rate) ].compact_blank
    end

    def counts
      run.definition.client_groups.map { |group| group.client_count.to_i }
    end

    def half_load(copy)
      [ copy.definition, *copy.definition.client_groups ].each do |it|
        it.load_phases = it.load_phases.map do |row|
          row.merge(row.slice("rate").transform_values { |rate| half_of_rate rate })
        end
      end
      copy.definition.client_groups.each do |group|
        if rates.none?
          group.client_count = half(group.client_count.to_i)
        elsif rate = group.settings["rate"].presence
          group.settings = group.settings.merge("rate" => half_of_rate(rate))
        end
      end
    end

    # An even number stays even, as some clients work in pairs.
    def half(count)
      count.even? ? [ count / 4 * 2, 2 ].max : [ count / 2, 1 ].max
    end

    def half_of_rate(text)
      text.gsub(%r{(\d+(?:\.\d+)?)(?=/)}) { |number| (number.to_f / 2).round(3).to_s.delete_suffix(".0") }
    end

    def longer_warmup(copy)
      copy.warmup += LONGER
      copy.duration += LONGER
    end

    def without_rate(copy)
      [ copy.definition, *copy.definition.client_groups ].each do |it|
        it.load_phases = it.load_phases.map { |row| row.except("rate") }
      end
      copy.definition.client_groups.each do |group|
        group.settings = group.settings.except("rate", "rate.of", "arrivals")
      end
    end

    def again(copy)
    end
end
