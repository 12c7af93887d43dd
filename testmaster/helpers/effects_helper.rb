# Tells the effects of an experiment in words and in a table.
module EffectsHelper
  # Returns sentences such as "12 clients instead of 4: +355 /s (300 to 410).", the largest effect first.
  def effects_in_words(experiment, results)
    unit = unit_of_experiment_figure(experiment.evaluation.response)
    main, together = by_share(results["effects"]).partition { |effect| factor_of_effect(experiment, effect) }
    main.map { |effect| main_effect_in_words(experiment, effect, unit) } +
      together.reject { |effect| effect["within_noise"] != false }.map { |effect|
        "The effects of #{effect["name"].split(" x ").to_sentence} depend on one another."
      }
  end

  def by_share(effects)
    Array(effects).sort_by { |effect| -effect["share"].to_f }
  end

  def effect_named(name, effects)
    effects.find { |effect| effect["name"] == name } || {}
  end

  # Returns whether the effects are tested by F, as factors have more than two levels.
  def tested_by_f?(effects)
    effects.any? { |effect| effect["f"] && effect["effect"].nil? }
  end

  # Returns "+12.5", or F if a term has more than two levels.
  def effect_in_words(effect)
    value = effect["effect"]
    case
    when value       then signed(value)
    when effect["f"] then significant(effect["f"])
    else none
    end
  end

  # Returns the change from the low to the high level, which is twice the effect.
  def change_of_effect(effect)
    effect["effect"] ? signed(2 * effect["effect"]) : none
  end

  def share_of_effect(effect)
    share = effect["share"] or return none
    quantity number_with_precision(share * 100, precision: 1), "%"
  end

  # Returns the interval of an effect, or p.
  def range_of_effect(effect)
    range = effect["low"] ? "#{significant effect["low"]} to #{significant effect["high"]}" :
      effect["p"] ? significant(effect["p"]).to_s : "no interval"
    effect["within_noise"] ? "#{range}, within noise" : range
  end

  private
    def factor_of_effect(experiment, effect)
      experiment.factors.find { |factor| factor.name == effect["name"] }
    end

    def main_effect_in_words(experiment, effect, unit)
      factor = factor_of_effect(experiment, effect)
      case
      when effect["within_noise"] then "#{factor.name}: no effect seen."
      when effect["effect"]       then change_in_levels(factor, effect, unit)
      else means_of_levels(experiment, factor, unit)
      end
    end

    # An effect is half the change. Its low level need not be listed first.
    def change_in_levels(factor, effect, unit)
      range = " (#{significant 2 * effect["low"]} to #{significant 2 * effect["high"]})" if effect["low"]
      low, high = effect["levels"] || factor.levels.values_at(0, -1)
      "#{level_in_words factor, high} instead of #{low}: #{signed 2 * effect["effect"]} #{unit}#{range}."
    end

    def means_of_levels(experiment, factor, unit)
      means = factor.levels.filter_map do |level|
        estimates = experiment.points.select { |point| point.levels[factor.name] == level }
          .map { |point| point.figure(experiment.evaluation.response) }
        known = estimates.filter_map(&:mean)
        case
        when estimates.any?(&:why_unknown) then "no mean at #{level}"
        when known.any?                    then "#{significant known.sum / known.size} #{unit} at #{level}"
        end
      end
      "#{factor.name}: #{means.to_sentence}."
    end

    def level_in_words(factor, level)
      level.is_a?(Numeric) ? "#{level} #{factor.name}" : "#{factor.name} #{level}"
    end

    def signed(value)
      "#{value.negative? ? "−" : "+"}#{significant value.abs}"
    end
end
