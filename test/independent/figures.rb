# The figures of a folder of performance logs, computed a second time in the simplest way: every record is kept, and
# numbers are exact fractions. The code follows docs/reference/logs.md and docs/reference/statistics.md, not the log
# analyzer, so that the two do not share mistakes. test/independent/check prints their differences.
require "json"
require "zlib"
require "csv"

module Independent
  # duration in us; start and stop in ms since 1970; weight: number of requests that a record represents
  Record = Struct.new(:start, :stop, :duration, :service, :action, :log)

  # One performance log: its header, its records, and the number of unreadable lines.
  class Log
    attr_reader :path, :name, :header, :records, :malformed, :dropped

    LONGEST_DURATION = 2**31 - 1
    LONGEST_LINE = 256 * 1024
    DATA = /\A(\d{1,15});(\d{1,15});([^;]+)(?:;(.*))?\z/mn

    def initialize(path, name)
      @path, @name = path, name
      @records, @malformed, @dropped, @header = [], 0, 0, ""
      read
    end

    def weight = [ 1, header[/Sample\[1\/(\d+)\]/n, 1].to_i ].max
    def unit = header.include?("Unit[us]") ? 1 : 1000

    # "client_0" from the file's name, else from the header, else from the folder
    def jvm
      File.basename(name)[/_([A-Za-z]+_\d+)\./, 1] || told_by_header || name[%r{(?:broker|client)_\d+(?=/)}] || "-_0"
    end

    # A damaged timestamp among the first five does not decide the start of the log.
    def begins
      first = records.first(5)
      median = first.map(&:stop).sort[(first.size - 1) / 2]
      first.find { |record| (record.stop - median).abs <= 86_400_000 }&.start
    end

    # A damaged timestamp at the end does not decide its end.
    def ends
      last = records.last(50).map(&:stop).sort
      last[last.size / 2]
    end

    private
      def told_by_header
        header =~ /Role\[([^\]]+)\].*Position\[(\d+)\]/n && "#{$1}_#{$2}"
      end

      def read
        lines = content.split("\n", -1)
        unfinished = lines.pop
        lines.each_with_index { |line, number| take line, first: number == 0 }
        take unfinished, first: false if unfinished&.count(";").to_i >= 3 && unfinished.size <= LONGEST_LINE
      end

      # A truncated compressed log counts up to the cut.
      def content
        bytes = File.binread(path)
        path.end_with?(".gz") ? inflate(bytes) : bytes
      end

      def inflate(bytes)
        text, stream = +"".b, Zlib::Inflate.new(Zlib::MAX_WBITS + 16)
        bytes.each_char.each_slice(512) { |slice| text << stream.inflate(slice.join) }
        text
      rescue Zlib::Error
        text
      end

      def take(line, first:)
        line = line.delete_suffix("\r")
        if (data = DATA.match(line)) && line.size < LONGEST_LINE && data[1].to_i * unit <= LONGEST_DURATION
          record(*data.captures)
        elsif line =~ /\A# dropped (\d+)\z/n
          @dropped += $1.to_i
        elsif first
          @header = line
        else
          @malformed += 1 unless line.strip.empty? || line.start_with?("#", "MLMQ performance log")
        end
      end

      def record(duration, stamp, action, context)
        duration = duration.to_i * unit
        start = stamp.to_i - duration / 1000
        records << Record.new(start, stamp.to_i, duration, service(context.to_s), text(action), self)
      end

      def service(context)
        value = context[/(?:\A|[ ;])S\[([^\]]*)\]/mn, 1]
        return unless value&.match?(/\A\d{1,15}\z/n)

        value.to_i * unit if value.to_i * unit <= LONGEST_DURATION
      end

      def text(bytes) = bytes.dup.force_encoding(Encoding::UTF_8).scrub("\uFFFD")
  end

  # All logs of a folder, each once, and the time when all clients were measuring.
  class Run
    attr_reader :logs, :copies

    HOUR = 3_600_000
    DAY = 24 * HOUR
    MOST_WINDOWS = 2**20

    # @param warmup, cooldown in ms, exclude time in place of the summaries' times
    def initialize(folder, warmup: 0, cooldown: 0)
      @folder, @warmup, @cooldown = folder, warmup, cooldown
      @logs, @copies = [], []
      find_logs
    end

    # @return when all clients were measuring [ms since 1970], if their summaries say so
    def planned
      @planned ||= begin
        phases = cut? ? [] : files("summary_client_*.json").filter_map { |path| phase(path) }
        from, to = phases.map(&:first).max, phases.map(&:last).min
        from && from < to ? [ from, to ] : []
      end
    end

    def cut? = @warmup + @cooldown > 0

    # @return the time that windows count from [ms since 1970]
    def origin
      @origin ||= begin
        begins = logs.filter_map(&:begins).sort
        @median = begins[begins.size / 2]
        first = begins.find { |ms| ms >= @median - DAY }
        from = planned.first
        from && from < first && from >= first - DAY ? from : first
      end
    end

    def records
      @records ||= logs.flat_map(&:records).select { |record| believable?(record) }
    end

    def too_far = logs.sum { |log| log.records.size } - records.size

    # @return the end of the last record [ms since 1970]
    def ends = records.map(&:stop).max

    def steady
      planned.any? ? planned : [ origin + @warmup, @cooldown == 0 ? ends : ends + 1 - @cooldown ]
    end

    # True if the whole time is the measurement interval.
    def all_steady? = !cut? && planned.empty?

    private
      def files(pattern)
        Dir.glob(File.join(@folder, "**", pattern)).select { |path| File.file?(path) }
          .sort_by { |path| path.delete_prefix(@folder).split("/") }
      end

      # Uncompressed logs come first: later logs with the same content are copies.
      def find_logs
        seen = []
        files("performance*").sort_by.with_index { |path, i| [ path.end_with?(".gz") ? 1 : 0, i ] }.each do |path|
          log = Log.new(path, path.delete_prefix(@folder).delete_prefix("/"))
          marks = [ path.delete_suffix(".gz"), File.realpath(path) ]
          marks << [ log.jvm, log.header ] if log.header.include?("Started[")
          (marks & seen).any? ? copies << log.name : logs << log
          seen.concat marks
        end
      end

      def phase(path)
        summary = JSON.parse(File.read(path))
        from, seconds = summary.values_at("started_ms", "duration_s")
        [ from.to_i, (from + seconds * 1000).to_i ] if from.is_a?(Numeric) && seconds.is_a?(Numeric)
      rescue JSON::ParserError, TypeError
        nil
      end

      def believable?(record)
        record.stop >= origin - HOUR && record.stop < latest
      end

      def latest
        @latest ||= begin
          believable = logs.select { |log| log.begins && (log.begins - @median).abs <= DAY }
          ends = believable.reject { |log| log.path.end_with?(".gz") }.filter_map(&:ends).sort
          if planned.any? then planned.last + HOUR
          elsif ends.any? then ends[(ends.size - 1) / 2] + 6 * HOUR
          else @median + 30 * DAY
          end
        end
      end
  end

  # The rows of the table: one for each window and one for the measurement interval, of each group.
  class Figures
    # @param by group records by: "action", "jvm", "status"
    # @param percents as text, such as "99.9"
    def initialize(run, window:, percents:, by: [ "action" ])
      @run, @window, @by, @percents = run, window, by, percents
      @from, @to = run.steady if run.records.any?
    end

    # { [ "steady", "CSndReq#OK#echo" ] => { "count" => "5", … } }
    def rows
      run_ends, origin = [ @run.ends, @run.planned.last ].compact.max, @run.origin
      groups.each_with_object({}) do |(labels, records), rows|
        by_window = records.group_by { |record, _| [ 0, (record.stop - origin).div(@window) ].max }
        by_window.each do |number, inside|
          from = origin + number * @window
          length = [ 1, [ from + @window, run_ends ].min - from ].max
          rows[[ decimal(Rational(number * @window, 1000)), *labels ]] = row(inside, length)
        end
        steady = records.select { |record, _| steady?(record) }
        rows[[ "steady", *labels ]] = row(steady, [ 1, @to - [ @from, origin ].max ].max) if steady.any?
      end
    end

    # Computes the share of failed client requests [%] and percentiles [us], where failed requests count as longer than
    # all others. A percentile among them is shown as at least that of all measured times: "> 1000000".
    def compared
      requests = @run.records.select { |record| record.action.start_with?("CSndReq#") && steady?(record) }
      bad, good = requests.partition { |record| record.action.split("#")[1] != "OK" }.map { |some| weighted(some) }
      failed, all = [ bad, bad + good ].map { |times| times.sum(&:last) }
      return {} if all == 0

      percentiles = { "median" => "50", "p95" => "95", "p99" => "99", "p99.9" => "99.9" }.transform_values do |percent|
        found = percentile(good.sort + [ [ nil, failed ] ], all, percent)
        found.empty? ? "> #{percentile((bad + good).sort, all, percent)}" : found
      end
      { "errors" => decimal(Rational(failed * 100, all)), **percentiles }
    end

    private
      # Groups records with their durations; service times form separate groups.
      def groups
        @run.records.each_with_object(Hash.new { |all, labels| all[labels] = [] }) do |record, groups|
          labels = @by.map { |key| label(key, record) }
          groups[labels] << [ record, record.duration ]
          groups[[ "#{labels.first}:service", *labels.drop(1) ]] << [ record, record.service ] if record.service
        end
      end

      def label(key, record)
        case key
        when "action" then record.action
        when "jvm" then record.log.jvm
        when "status" then record.action.split("#").then { |parts| parts.size >= 3 ? parts[1] : "-" }
        end
      end

      def weighted(records) = records.map { |record| [ record.duration, record.log.weight ] }

      def steady?(record)
        @run.all_steady? || (record.start >= @from && record.start < @to)
      end

      def row(group, length)
        weighted = group.map { |record, duration| [ duration, record.log.weight ] }.sort
        count = weighted.sum(&:last)
        sum = weighted.sum { |duration, weight| duration * weight }
        squares = weighted.sum { |duration, weight| duration * duration * weight }
        row = { "count" => count.to_s, "throughput" => decimal(Rational(count * 1000, length)),
          "mean" => decimal(Rational(sum, count)), "stddev" => deviation(weighted, count, sum, squares),
          "median" => percentile(weighted, count, "50"),
          "min" => weighted.first.first.to_s, "max" => weighted.last.first.to_s }
        row["recorded"] = group.size.to_s if @run.logs.any? { |log| log.weight > 1 }
        @percents.each_with_object(row) { |percent, all| all["p#{percent}"] = percentile(weighted, count, percent) }
      end

      # @return the smallest duration that at least this percentage of requests does not exceed
      def percentile(weighted, count, percent)
        rank = [ 1, (Rational(percent) * count / 100).ceil ].max
        weighted.each { |duration, weight| return duration.to_s if (rank -= weight) <= 0 }
      end

      # Standard deviation with the effective number of observations of weighted records
      def deviation(weighted, count, sum, squares)
        worth = Rational(count * count, weighted.sum { |_, weight| weight * weight })
        return "" if worth <= 1

        variance = Rational(squares * count - sum * sum, count * count) * worth / (worth - 1)
        decimal(Math.sqrt(variance).to_r)
      end

      # Rounds to three decimals, without trailing zeros.
      def decimal(number)
        thousandths = (number * 1000).round(half: :even)
        format("%d.%03d", thousandths / 1000, thousandths % 1000).sub(/\.?0+\z/, "")
      end
  end
end
