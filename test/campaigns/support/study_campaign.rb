require "csv"
require_relative "stage"

# Runs the studies of examples/ one at a time, with its own worker.
class StudyCampaign
  OF_THE_STUDY = %w[ workers io.threads io.threads.per.address db.connections batch.max ]
  COLUMNS = %w[ study brokers point verdict throughput sent received mean p50 p99 e2e_p50 e2e_p99 ] # /s and us

  def initialize(scale:, points:, only: nil, today: false, csv: nil)
    @scale, @points, @only, @today, @csv = scale, points, only, today, csv
  end

  # @return the exit code
  def run
    $stdout.sync = true
    Rails.logger.level = :warn
    Stage.open do |stage|
      Build.of("HEAD").perform { }
      stage.start_worker
      failed = files.product(@today ? [ false, true ] : [ false ]).sum { |file, today| study(file, today) }
      puts "#{files.size} studies, #{failed} failed runs"
      failed.zero? && files.any? ? 0 : 1
    end
  end

  private
    def files
      Rails.root.glob("examples/study*.yml").select { |file| @only.nil? || file.basename.to_s.include?(@only) }.sort
    end

    # @return the number of failed runs
    def study(file, today)
      definition = YAML.load_file(file).merge("scale" => @scale)
      return 0 if today && !leave_to_the_broker(definition)

      made = definition["experiment"] ? experiment(definition) : TestRun.from_definition(definition)
      made.launch or abort "#{file.basename}: #{made.errors.full_messages.to_sentence}"
      sleep 0.5 until over?(made.reload)
      runs = made.is_a?(Experiment) ? made.test_runs.to_a : [ made ]
      tell file, today, runs
      runs.count(&:failed?)
    end

    # @return true if the study sets one of them
    def leave_to_the_broker(definition)
      varied = definition.to_s
      definition["brokers"].each_with_index.sum { |group, position|
        settings = group["settings"].to_h
        left = OF_THE_STUDY.select { |name| varied.exclude?("brokers.#{position}.settings.#{name}") } & settings.keys
        left.each { |name| settings.delete name }.size
      }.positive?
    end

    def experiment(definition)
      definition["experiment"].merge!("repetitions" => 1, "again" => 0)
      Experiment.from_definition(definition).tap { |made| skip_others made }
    end

    # Keeps evenly spaced points, with the first and the last, which are at the ends of the ranges.
    def skip_others(made)
      made.save or return
      points = made.points.to_a
      return unless @points.positive? && points.size > @points

      kept = Array.new(@points) { |n| points[n * (points.size - 1) / [ @points - 1, 1 ].max] }
      (points - kept).each(&:skip)
    end

    def over?(made)
      made.is_a?(Experiment) ? made.ended? : made.ended? && (made.examined? || !made.archive.attached?)
    end

    def tell(file, today, runs)
      study = file.basename(".yml").to_s + (" today" if today).to_s
      parts = runs.map { |run| run.outcome.part_in_experiment || "unknown" }.tally
        .map { |part, count| "#{count} #{part}" }
      puts format("%-42s %s", study, parts.join(", "))
      write file.basename(".yml"), today, runs if @csv
      runs.select(&:failed?).each { |run| puts "  run #{run.id}: #{run.outcome.reason_of_failure}" }
    end

    def write(study, today, runs)
      CSV.open(@csv, "a", write_headers: !File.size?(@csv), headers: COLUMNS) do |csv|
        runs.each do |run|
          figures = run.figures["exact"].to_h
          csv << [ study, today ? "today" : "study", run.point&.title, run.outcome.part_in_experiment,
            *figures.values_at(*COLUMNS.drop(4)) ]
        end
      end
    end
end
