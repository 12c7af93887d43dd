# Runs the log analyzer to compare the logs of all runs, and gnuplot to draw them into common pictures.
module Comparison::Performable
  extend ActiveSupport::Concern
  include Report::Illustrated

  LIMIT_BROKEN = 3 # exit code
  PICTURES = %w[ comparison throughput response_time spectrum breakdown ] # in this order, others after them

  private
    def work
      check_cancellation
      check_missing_logs
      Dir.mktmpdir("testmaster-") do |folder|
        show_step "Reading the logs of #{entries.size} runs"
        with_zips(entries.to_a) do |zips|
          run_program compare(zips, folder), accepting: [ 0, LIMIT_BROKEN ]
          compare_profiles zips, Pathname(folder)
        end
        draw_pictures Pathname(folder).join("plots")
        keep Pathname(folder)
      end
    end

    def check_missing_logs
      entries.each do |entry|
        raise Failure.new("Run #{entry.number} has been deleted.", advice: "Compare the others.") unless entry.test_run
        unless entry.test_run.archive.attached?
          raise Failure.new("Run #{entry.number} has no logs.", advice: "Compare the others.")
        end
      end
    end

    # Yields { entry => path } with the paths of the zips in the storage.
    def with_zips(entries, zips = {}, &block)
      entry, *others = entries
      return yield(zips) unless entry

      entry.test_run.outcome.open_archive { |path| with_zips others, zips.merge(entry => path), &block }
    end

    def compare(zips, folder)
      groups = sides.map { |side| "#{side.letter}=#{zips.values_at(*side.entries).join(",")}".shellescape }
      limits = self.limits.map { |limit| "--fail-if #{limit.shellescape}" }
      junit = "--junit #{folder}/limits.xml" if limits.any?
      output = "-fmt json -out #{folder}/table.json -plot #{folder}/plots"
      analyzer_command [ "compare", *groups, output, *limits, *junit ].join(" ")
    end

    # Compares the first run of each side that has a profile with that of the baseline.
    def compare_profiles(zips, folder)
      recorded = sides.filter_map do |side|
        entry = side.entries.find { |one| one.test_run.recorded? }
        [ side, zips.fetch(entry).shellescape ] if entry
      end.to_h
      baseline = recorded.delete(recorded.keys.find(&:baseline?)) or return

      show_step "Comparing the profiles" if recorded.any?
      recorded.each { |side, zip| compare_profile side, "profile -d #{zip} -against #{baseline}", folder }
    end

    # A recording without samples cannot be compared.
    def compare_profile(side, command, folder)
      picture = folder.join("plots/profile_#{side.letter}.light.svg")
      tables = folder.join("profile_#{side.letter}.json")
      if run_program(analyzer_command("#{command} -top 15 -fmt json -out #{tables}"), accepting: [ 0, 2 ]).zero?
        run_program analyzer_command("#{command} -fmt svg -out #{picture}")
        FileUtils.cp picture, picture.to_s.sub(".light.", ".dark.") # this picture adapts to the theme itself
      end
    end

    def in_order(paths)
      paths.sort_by { |path| [ PICTURES.index(path.basename.to_s[/\A[^.]+/]) || PICTURES.size, path ] }
    end

    def keep(folder)
      rows, cases = JSON.parse(folder.join("table.json").read), cases_in(folder.join("limits.xml"))
      self.results = Comparison::Findings.new(self, rows, cases).to_h.merge("profiles" => profiles_in(folder))
      keep_with_pictures folder.join("plots"), worse_by: worsening
    end

    # Returns { "B" => [ { "method" => …, "baseline" => …, "share" => …, "difference" => …, "verdict" => … }, … ] }.
    def profiles_in(folder)
      folder.glob("profile_*.json").sort.to_h { |path| [ path.basename(".json").to_s[-1], JSON.parse(path.read) ] }
    end

    def cases_in(junit)
      return [] unless junit.exist?

      Nokogiri::XML(junit.read, &:strict).css("testcase").map do |item|
        { "side" => item["classname"], "limit" => item["name"], "broken" => item.at_css("failure")&.[]("message"),
          "untold" => item.at_css("skipped")&.[]("message") }.compact
      end
    end
end
