# The samples of one step of the load, summed as they arrive, so that the page of a run of a day reads no more than that
# of a minute. Warm-up and cool-down have separate steps, as they do not count.
class TestRun::Step < ApplicationRecord
  COUNT = 240 # of a run; later samples join the last one

  MEAN_SO_FAR =
    "(coalesce(test_run_steps.%{name} * test_run_steps.samples, 0) + coalesce(excluded.%{name}, 0)) / " \
      "(test_run_steps.samples + 1)"
  MEAN_OF_REQUESTS = # its seconds have different numbers of them
    "coalesce((test_run_steps.mean * test_run_steps.rate * test_run_steps.samples + excluded.mean * excluded.rate) / " \
      "nullif(test_run_steps.rate * test_run_steps.samples + excluded.rate, 0), test_run_steps.mean)"
  ADDED = {
    samples: "test_run_steps.samples + 1", last_second: "greatest(test_run_steps.last_second, excluded.last_second)",
    **%i[ rate mean p99 ].index_with { |name|
      mean = name == :mean ? MEAN_OF_REQUESTS : format(MEAN_SO_FAR, name: name)
      "CASE WHEN excluded.#{name} IS NULL THEN test_run_steps.#{name} " \
        "WHEN test_run_steps.#{name} IS NULL THEN excluded.#{name} ELSE #{mean} END"
    },
    **[ *%i[ worst_p99 ok errors_counted late ], *MessageRates::COUNTS.map(&:to_sym) ].index_with { |name|
      "greatest(test_run_steps.#{name}, excluded.#{name})" }
  }

  belongs_to :test_run

  # Returns the seconds of the load in one step.
  def self.length_in(run)
    (run.duration / COUNT.to_f).ceil
  end

  def self.add(sample)
    run, figures = sample.test_run, sample.figures
    return unless run.load_starts_at && sample.at >= run.load_starts_at

    second = sample.at - run.load_starts_at
    upsert({ test_run_id: run.id, position: [ (second / length_in(run)).floor, COUNT ].min,
      steady: run.steady_seconds.cover?(second), samples: 1, last_second: second,
      rate: figures["rate"], mean: figures["mean"], p99: figures["p99"], worst_p99: figures["p99"], ok: figures["ok"],
      errors_counted: figures["errors"], late: figures["late"], **figures.slice(*MessageRates::COUNTS) },
      unique_by: %i[ test_run_id position steady ],
      on_duplicate: Arel.sql(ADDED.map { |name, sql| "#{name} = #{sql}" }.join(", ")))
  end

  # Returns the number of requests that got their response; nil if it is unknown.
  def answered
    rate && rate * samples
  end

  def as_sample
    Measurement::Sample.new(last_second, rate, mean, p99, ok, errors_counted, late, sent, received, takes, empty_takes,
      samples)
  end
end
