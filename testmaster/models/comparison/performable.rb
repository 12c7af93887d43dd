# Has the log analyzer compare the logs of all runs, and gnuplot draw them into the same pictures.
module Comparison::Performable
  extend ActiveSupport::Concern
  include ByLogAnalyzer::Cancellable

  LIMIT_BROKEN = 3 # exit code
  PICTURES = %w[ comparison throughput response_time spectrum breakdown ] # in this order; others after them
  LARGEST_PICTURE = 20.megabytes

  private
    def work
      heed_cancellation
      heed_missing_logs
      Dir.mktmpdir("testmaster-") do |folder|
        show_step "Reads the logs of #{entries.size} runs"
        with_zips(entries.to_a) do |zips|
          run_program compare(zips, folder), accepting: [ 0, LIMIT_BROKEN ]
          compare_profiles zips, Pathname(folder)
        end
        draw_all Pathname(folder).glob("plots/*.gp").sort_by { |script| place_of(script) }
        make_sure_of_lock
        keep Pathname(folder)
      end
    end

    def heed_missing_logs
      entries.each do |entry|
        raise Failure.new("Run #{entry.number} has been deleted.", advice: "Compare the others.") unless entry.test_run
        unless entry.test_run.archive.attached?
          raise Failure.new("Run #{entry.number} has no logs.", advice: "Compare the others.")
        end
      end
    end

    # { entry => path }, each zip as it lies in the storage
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

    # Of each side the first run that has recorded, against that of the baseline.
    def compare_profiles(zips, folder)
      recorded = sides.filter_map do |side|
        entry = side.entries.find { |one| one.test_run.recorded? }
        [ side, zips.fetch(entry).shellescape ] if entry
      end.to_h
      baseline = recorded.delete(recorded.keys.find(&:baseline?)) or return

      show_step "Compares the profiles" if recorded.any?
      recorded.each { |side, zip| compare_profile side, "profile -d #{zip} -against #{baseline}", folder }
    end

    # Where nothing was sampled there is nothing to compare.
    def compare_profile(side, command, folder)
      picture = folder.join("plots/profile_#{side.letter}.light.svg")
      tables = folder.join("profile_#{side.letter}.json")
      if run_program(analyzer_command("#{command} -top 15 -fmt json -out #{tables}"), accepting: [ 0, 2 ]).zero?
        run_program analyzer_command("#{command} -fmt svg -out #{picture}")
        FileUtils.cp picture, picture.to_s.sub(".light.", ".dark.") # it follows the theme by itself
      end
    end

    def draw_all(scripts)
      scripts.each_with_index do |script, n|
        show_step "Draws picture #{n + 1} of #{scripts.size}"
        %w[ dark light ].each do |theme|
          draw script, theme
          script.sub_ext(".svg").rename script.sub_ext(".#{theme}.svg")
        end
      end
    end

    def place_of(script)
      [ PICTURES.index(script.basename(".gp").to_s) || PICTURES.size, script ]
    end

    def keep(folder)
      files = folder.glob("plots/*.svg").reject { |path| path.size > LARGEST_PICTURE }
        .sort_by { |path| place_of(path.sub_ext("").sub_ext(".gp")) }
      rows, cases = JSON.parse(folder.join("table.json").read), cases_in(folder.join("limits.xml"))
      self.results = Comparison::Findings.new(self, rows, cases).to_h.merge("profiles" => profiles_in(folder))
      self.worse_by = worsening
      attach_pictures files
    end

    def attach_pictures(files)
      opened = files.map do |path|
        { io: path.open("rb"), filename: path.basename.to_s, content_type: "image/svg+xml", identify: false }
      end
      update! pictures: opened
    ensure
      opened&.each { |file| file[:io].close }
    end

    # { "B" => [ { "method" => …, "baseline" => …, "share" => …, "difference" => …, "verdict" => … }, … ] }
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
