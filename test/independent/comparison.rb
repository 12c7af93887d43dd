require "open3"
require_relative "figures"
require_relative "machines"
require_relative "messages"
require_relative "phases"
require_relative "under_way"

module Independent
  # Compares the figures of a folder by the log analyzer with those of the independent check.
  class Comparison
    ANALYZER = File.expand_path("../../bin/log_analyzer", __dir__)
    GROUPINGS = [ %w[ action ], %w[ status ], %w[ action jvm ] ]
    INTERVALS = %w[ mean_low mean_high stddev_low stddev_high ] # computed from more than the records

    # The seed selects grouping, window and cut.
    def self.drawn(folder, seed)
      random = Random.new(seed)
      cut = random.rand < 0.3 ? { warmup: 700, cooldown: 900 } : {}
      new(folder, by: GROUPINGS.sample(random:), window: [ 1000, 700, 30_000 ].sample(random:), **cut)
    end

    def initialize(folder, by: %w[ action ], window: 1000, percents: %w[ 2.5 97.5 99.9 ], warmup: 0, cooldown: 0)
      @folder, @by, @window, @percents, @warmup, @cooldown = folder, by, window, percents, warmup, cooldown
    end

    # @return a sentence for each difference
    def differences
      return [] if run.records.empty?

      table, said = analyze "-d", @folder, "-fmt", "csv", "-group-by", @by.join(","), "-window", "#{@window}ms",
        "-percentiles", @percents.join(","), *cut
      different_rows(parse(table), figures.rows) + different_remarks(said)
    end

    # Compares error rate and percentiles with failed requests, which only the compare command prints.
    def different_compared
      return [] unless run.records.any? { |record| record.action.start_with?("CSndReq#") }

      compared = Figures.new(Run.new(@folder), window: @window, percents: []).compared
      table, = analyze "compare", @folder, @folder, "-fmt", "csv",
        "-metric", [ "errors", *compared.keys ].uniq.join(",")
      told = CSV.parse(table, headers: true).to_h do |row|
        [ row["figure"], row["baseline"] || "> #{row["baseline_at_least"]}" ]
      end
      compared.filter_map do |figure, ours|
        "#{figure}: analyzer #{told[figure]}, independent #{ours}" unless told[figure] == ours
      end
    end

    # Compares the messages of all clients.
    def different_messages
      return Phases.new(run, @folder).differences(analyze("phases", @folder, "-fmt", "csv").first) if in_phases?

      differing Messages.new(run, @folder).figures
    end

    # Compares the number of requests under way, which clients without a summary do not tell.
    def different_under_way
      told["under_way"] ? UnderWay.new(run).differences(told["under_way"]) : []
    end

    # Compares what machines measured.
    def different_machines
      run.records.any? ? differing(Machines.new(Run.new(@folder), @folder).figures) : []
    end

    private
      def differing(figures)
        different = figures.reject { |figure, ours| (told[figure].to_f - ours).abs < 0.001 }
        different.map { |figure, ours| "#{figure}: analyzer #{told[figure]}, independent #{ours.to_f.round(3)}" }
      end

      def told
        @told ||= CSV.parse(analyze("figures", @folder, "-fmt", "csv").first, headers: true).to_h do |row|
          [ row["figure"], (row["value"] || row["at_least"])&.to_f ]
        end
      end

      def in_phases?
        Dir.glob(File.join(@folder, "**", "summary_client_*.json")).any? { |path| JSON.parse(File.read(path))["load"] }
      end

      def run = @run ||= Run.new(@folder, warmup: @warmup, cooldown: @cooldown)
      def figures = Figures.new(run, window: @window, percents: @percents, by: @by)

      def cut
        { "-warmup" => @warmup, "-cooldown" => @cooldown }.flat_map { |name, ms| ms == 0 ? [] : [ name, "#{ms}ms" ] }
      end

      def analyze(*arguments)
        table, said, status = Open3.capture3(ANALYZER, *arguments)
        raise "#{ANALYZER} #{arguments.join(" ")} failed: #{said}" unless status.success?

        [ table, said ]
      end

      def parse(table)
        CSV.parse(table, headers: true).to_h do |row|
          cells = row.to_h
          [ [ cells.delete("window"), *@by.map { |key| cells.delete(key) } ], cells.except(*INTERVALS) ]
        end
      end

      def different_rows(theirs, ours)
        (theirs.keys | ours.keys).flat_map do |key|
          next [ "#{key.join(" ")}: only the analyzer has it" ] unless ours[key]
          next [ "#{key.join(" ")}: only the independent check has it" ] unless theirs[key]

          (theirs[key].keys | ours[key].keys).filter_map do |figure|
            told, own = theirs[key][figure].to_s, ours[key][figure].to_s
            "#{key.join(" ")} #{figure}: analyzer #{told}, independent #{own}" unless told == own
          end
        end
      end

      def different_remarks(said)
        facts = run.logs.flat_map do |log|
          [ [ "malformed lines of #{log.name}", log.malformed, said[/^#{Regexp.escape log.name}: (\d+) malformed/, 1] ],
            [ "records dropped of #{log.name}", log.dropped, said[/^#{Regexp.escape log.name}: .* dropped (\d+)/, 1] ] ]
        end
        facts << [ "records too far", run.too_far, said[/^(\d+) records? (?:is|are) left out, too far/, 1] ]
        facts << [ "copies", run.copies.size, said.scan(/is left out, because it is a copy/).size ]
        facts.filter_map { |what, own, told| "#{what}: analyzer #{told.to_i}, independent #{own}" if own != told.to_i }
      end
  end
end
