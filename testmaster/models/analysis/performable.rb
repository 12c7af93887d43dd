require "zip_kit"

# Runs the log analyzer over the zip of the run, and gnuplot over what it writes.
module Analysis::Performable
  extend ActiveSupport::Concern
  include Lockable

  ANALYZER = Rails.root.join("bin/log_analyzer")
  JAR = Rails.root.join("log_analyzer/target/log_analyzer.jar")
  LIMIT = 3600 # seconds
  ATTEMPTS = 3 # of which all but the last were cut off

  included do
    scope :abandoned, -> { where(state: %w[ pending processing ]).where(updated_at: ...30.seconds.ago) }
  end

  def perform_later
    Analysis::PerformJob.perform_later self
  end

  # Done once, by one at a time, however often it is asked for.
  def perform
    holding_lock do
      reload
      perform_now if pending? || processing?
    end
  end

  # Asked for again where nobody is at it, as its job was lost.
  def resume
    unless locked?
      touch
      perform_later
    end
  end

  private
    # What kills whoever does it is not tried for ever.
    def perform_now
      update! state: "processing", attempts: attempts + 1
      if attempts > ATTEMPTS
        raise Failure,
          "It was cut off #{ATTEMPTS} times: see the log of the worker, and the memory and the disk of this machine."
      end

      Dir.mktmpdir { |folder| analyze Pathname(folder) }
      update! state: "completed", error: nil, completed_at: Time.current
    rescue Failure => failure
      fail_with [ failure.message, failure.advice ].compact.join(" ")
    rescue *TestRun::Phase::OUR_OWN_TROUBLE
      raise
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { analysis: id }
      fail_with "#{error.class.name}: #{error.message.lines.first.to_s.strip}".truncate(1_000)
    end

    def fail_with(reason)
      update! state: "failed", error: reason, completed_at: Time.current
    end

    def analyze(folder)
      test_run.open_archive do |zip|
        run_program analyzer(zip, "-fmt csv -out #{folder.join("table.csv")}") if of_actions?
        run_program analyzer(zip, "-fmt gnuplot -kind #{kind} -out #{folder.join("plot")}")
      end
      gnuplot_script = folder.join("plot").glob("*.gp").first
      draw gnuplot_script, "dark"
      gnuplot_script.sub_ext(".svg").rename folder.join("dark.svg")
      draw gnuplot_script, "light"
      make_sure_of_lock
      keep folder, gnuplot_script
    end

    def draw(script, theme)
      run_program "cd #{script.dirname} && gnuplot -e \"theme='#{theme}'\" #{script.basename}"
    end

    # Where the steady part begins and ends it knows from the summaries of the clients.
    def analyzer(zip, output)
      raise Failure.new("The log analyzer has not been built.", advice: "Run bin/setup.") unless JAR.exist?

      [ "#{ANALYZER.to_s.shellescape} -d #{zip.shellescape} -window #{window}s -percentiles #{percentiles}",
        ("-type #{prefixes.shelljoin}" if of_actions?), ("-group-by #{split}" if of_actions? && split),
        *part_of_the_load, output ].compact.join(" ")
    end

    def part_of_the_load
      { "-from" => from, "-to" => to }.compact.map { |option, second| "#{option} #{(second * 1000).round}ms" }
    end

    def run_program(command)
      result = Machine::Shell::Local.new.execute(command, timeout: LIMIT)
      return if result.success?

      raise failure_of(result.error.strip.presence || result.output.strip.presence ||
        "#{command[/log_analyzer|gnuplot/]} ended with exit code #{result.status}")
    end

    def failure_of(words)
      case words
      when /(\w+): not found/    then Failure.new("There is no #{$1} on this machine.",
        advice: "Run bin/setup, or install #{$1}.")
      when /\ANo line matches/  then Failure.new(words,
        advice: "Actions of these logs begin with #{test_run.system.actions.keys.to_sentence}.")
      else Failure.new(words)
      end
    end

    def keep(folder, gnuplot_script)
      attach table, folder.join("table.csv"), "text/csv" if of_actions?
      attach plot, gnuplot_script.sub_ext(".svg"), "image/svg+xml"
      attach dark_plot, folder.join("dark.svg"), "image/svg+xml"
      attach script, gnuplot_script, "text/plain"
      Tempfile.create([ kind, ".zip" ], binmode: true) do |zip|
        zip_folder gnuplot_script.dirname, zip
        zip.rewind
        data.attach io: zip, filename: "#{file_name}.zip", content_type: "application/zip", identify: false
      end
    end

    def attach(attachment, path, type)
      path.open("rb") do |io|
        attachment.attach io: io, filename: "#{file_name}#{path.extname}", content_type: type, identify: false
      end
    end

    def zip_folder(folder, io)
      ZipKit::Streamer.open(io) do |zip|
        folder.glob("**/*").select(&:file?).sort.each do |path|
          zip.write_file(path.relative_path_from(folder).to_s) do |sink|
            path.open("rb") { |file| IO.copy_stream file, sink }
          end
        end
      end
    end

    def file_name
      "test_run_#{test_run_id}_#{kind}_#{id}"
    end
end
