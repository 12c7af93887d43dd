# A factor with its levels. A level sets the value at one path of the definition, or a value at each of several paths.
class Experiment::Factor < ApplicationRecord
  self.table_name = "experiment_factors"

  NAME = /\A[a-zA-Z][\w .-]{0,39}\z/
  MOST_LEVELS = 200
  WORDS = %w[ name unit path paths levels ]

  # These settings change how much is recorded.
  RECORDED = /\.settings\.(?:rate|rate\.of|message\.size|common\.performancelogger\.sample)\z/

  belongs_to :experiment, inverse_of: :factors

  # Returns the [ [ path, value ], … ] of a level.
  def settings_at(level)
    index = levels.index(level)
    paths.map { |path, values| [ path, values[index] ] }
  end

  # Returns whether its levels change neither the time and price of a run nor whether it may be launched.
  def weightless?
    paths.each_key.all? { |path| Definition::Words.at(path)&.weighs? == false }
  end

  # Returns whether its levels change how much is recorded.
  def weighs_on_disk?
    paths.each_key.any? { |path| path.match?(RECORDED) || Definition::Words.at(path)&.disk? }
  end

  def title
    unit? ? "#{name} [#{unit}]" : name
  end

  def to_definition
    one = paths.one? && paths.values.first == levels
    { "name" => name, "unit" => unit.presence, "levels" => levels,
      **(one ? { "path" => paths.keys.first } : { "paths" => paths }) }.compact
  end

  # Returns the text of the form: a path a line, with its values if they differ from the levels.
  def paths_text
    paths.map { |path, values| values == levels ? path : "#{path} = #{values.join(", ")}" }.join("\n")
  end
end
