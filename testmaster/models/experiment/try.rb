# One level of a search, held for a while within a run. Live figures judge it as soon as it is over, so that the next
# level is known. The logs judge it again and take precedence.
class Experiment::Try < ApplicationRecord
  self.table_name = "experiment_tries"

  belongs_to :point, inverse_of: :tries
  belongs_to :test_run, inverse_of: :tries

  enum :state, %w[ measuring judged examined ].index_by(&:itself)

  scope :in_order, -> { order :id }

  def level
    point.levels.values.first
  end

  def holds?
    broken.empty?
  end

  # Until the logs are analysed, the live figures count. A run that cannot be trusted may still show that a level
  # breaks.
  def counts?
    case test_run.outcome.part_in_experiment
    when nil        then !measuring?
    when "accepted" then examined?
    when "rejected" then examined? && !holds?
    end
  end

  # The logs tell each response time exactly, or nil if it lies among failed requests.
  def judge(measured, conditions, state:)
    seen = state == "examined" && measured["throughput"] ? figures.reject { |name, _| Figure[name]&.time? } : figures
    kept = seen.merge(measured.compact)
    update! figures: kept, state: state, broken: conditions.reject { |it| it.kept_by?(kept) }.map(&:text)
  end

  # Returns a text such as "p99 12.3 ms, errors 0.0 %".
  def in_words
    shown = figures.slice("throughput", "p99", "errors", "late").map do |name, value|
      "#{name} #{value.round(value < 10 ? 2 : 0)} #{Figure[name].unit.sub("1/s", "/s")}"
    end
    [ holds? ? "holds" : "breaks #{broken.to_sentence}", *shown ].join(", ")
  end

  # The zip contains this, so that the logs alone can be judged. Only clients know which of them started late.
  def as_part_of_run
    { "point" => point.number, "repetition" => repetition, "levels" => point.levels,
      "from_ms" => by_clients(measured_from), "to_ms" => by_clients(measured_to), "late" => figures["late"] }.compact
  end

  def as_json(*)
    { "run" => test_run_id, "repetition" => repetition, "state" => state, "counts" => !!counts?,
      "holds" => (holds? unless measuring?), "broken" => broken, "figures" => figures.transform_keys { |name|
        Figure[name]&.known_to?(:try) ? Figure[name].column : name
      } }.compact
  end

  private
    # Converts to the clock of the clients, which the logs use [ms].
    def by_clients(time)
      (time.to_f * 1000 + test_run.clients.first&.machine&.clock_offset.to_f).round
    end
end
