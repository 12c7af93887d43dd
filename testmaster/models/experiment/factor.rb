# What is varied, by its levels. A level stands in the definition at one path, or at several with a value for each.
class Experiment::Factor < ApplicationRecord
  self.table_name = "experiment_factors"

  NAME = /\A[a-zA-Z][\w .-]{0,39}\z/
  MOST_LEVELS = 200
  WORDS = %w[ name unit path paths levels ]

  # Where a value changes neither the time nor the price of a run, nor whether it may be launched
  WEIGHTLESS =
    /\A(?:(?:brokers|clients)\.\d+\.(?:settings\..+|clients|jvms|heap|profile|scenario|name)|database_settings\..+)\z/

  # Which of them change how much is recorded
  WEIGHING = /\.(?:settings\.(?:rate|rate\.of|message\.size|common\.performancelogger\.sample)|jvms)\z/

  belongs_to :experiment, inverse_of: :factors

  # [ [ path, value ], … ] of a level
  def settings_at(level)
    index = levels.index(level)
    paths.map { |path, values| [ path, values[index] ] }
  end

  def weightless?
    paths.each_key.all? { |path| path.match?(WEIGHTLESS) }
  end

  def weighs_on_disk?
    paths.each_key.any? { |path| path.match?(WEIGHING) }
  end

  def title
    unit? ? "#{name} [#{unit}]" : name
  end

  def to_definition
    one = paths.one? && paths.values.first == levels
    { "name" => name, "unit" => unit.presence, "levels" => levels,
      **(one ? { "path" => paths.keys.first } : { "paths" => paths }) }.compact
  end

  # As the form shows it: a path a line, with its values where they are not the levels
  def paths_text
    paths.map { |path, values| values == levels ? path : "#{path} = #{values.join(", ")}" }.join("\n")
  end
end
