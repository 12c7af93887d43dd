require_relative "support"
require "csv"

# Generates logs from a seed and has the analyzer and DuckDB answer the same question on them, in turns.
class LogAnalyzerBench
  BYTES_A_LINE = 43
  MEGABYTES_SPLIT = 200 # in 200 files, and in one
  QUESTION = %w[ -fmt csv -window 60s -percentiles 2.5,97.5 ]
  COLUMNS = %w[ count mean stddev median p2.5 p97.5 min max ]
  ROUNDED = 0.00051 # the analyzer prints three decimals

  def initialize(directory, rounds:, lines:, seconds:)
    @directory, @rounds, @lines, @seconds = directory, rounds, lines, seconds
  end

  def run
    modules = install_duckdb
    plain = generate("plain", files: 8)
    gzipped = gzip(plain)
    zipped = zip(plain)
    jumbled = generate("jumbled", files: 8, jumble: 2000)
    many = generate("many", files: 200, lines: MEGABYTES_SPLIT * 1_000_000 / BYTES_A_LINE)
    one = join(many)

    [ [ plain, ".log" ], [ gzipped, ".log.gz" ], [ jumbled, ".log" ] ].each do |logs, suffix|
      compare_answers analyze(logs), ask_duckdb(modules, logs, suffix)
    end
    compare_answers analyze(zipped), analyze(plain)
    warn "the answers are the same, value by value"

    rounds = Bench::Rounds.new(@rounds)
    rounds.add("analyzer", "s") { time { analyze plain } }
    rounds.add("duckdb", "s") { time { ask_duckdb modules, plain, ".log" } }
    rounds.add("analyzer_gzip", "s") { time { analyze gzipped } }
    rounds.add("duckdb_gzip", "s") { time { ask_duckdb modules, gzipped, ".log.gz" } }
    rounds.add("analyzer_zip", "s") { time { analyze zipped } }
    rounds.add("analyzer_jumbled", "s") { time { analyze jumbled } }
    rounds.add("duckdb_jumbled", "s") { time { ask_duckdb modules, jumbled, ".log" } }
    rounds.add("analyzer_200_files", "s") { time { analyze many } }
    rounds.add("analyzer_1_file", "s") { time { analyze one } }
    rounds.run
    rounds.ratio "analyzer_vs_duckdb", "analyzer", "duckdb"
    rounds.ratio "analyzer_vs_duckdb_gzip", "analyzer_gzip", "duckdb_gzip"
    rounds.ratio "analyzer_zip_vs_plain", "analyzer_zip", "analyzer"
    rounds.ratio "analyzer_vs_duckdb_jumbled", "analyzer_jumbled", "duckdb_jumbled"
    rounds.ratio "analyzer_200_files_vs_1", "analyzer_200_files", "analyzer_1_file"
  end

  # The large log is ten times as long as the small one: it has the same rate of lines and ten times the windows.
  # Counting its lines first measures the reading speed, and loads it into the page cache.
  def large(gigabytes)
    lines = gigabytes * 1_000_000_000 / BYTES_A_LINE
    small = generate("small", files: 8, lines: lines / 10)
    large = generate("large", files: 8, lines:, seconds: @seconds * 10)
    rounds = Bench::Rounds.new(3)
    rounds.add("wc_tenth", "s/GB") { time { count_lines small } / gigabytes_of(small) }
    rounds.add("analyzer_tenth", "s/GB") { time { analyze small } / gigabytes_of(small) }
    rounds.add("wc_#{gigabytes}_gb", "s/GB") { time { count_lines large } / gigabytes_of(large) }
    rounds.add("analyzer_#{gigabytes}_gb", "s/GB") { time { analyze large } / gigabytes_of(large) }
    rounds.run
    rounds.ratio "analyzer_vs_wc", "analyzer_#{gigabytes}_gb", "wc_#{gigabytes}_gb"
    rounds.ratio "analyzer_time_a_gb_of_ten_times_as_much", "analyzer_#{gigabytes}_gb", "analyzer_tenth"
  end

  private
    def generate(name, files:, lines: @lines, seconds: @seconds, jumble: 0)
      folder = File.join(@directory, name)
      warn "generating #{name}: #{lines} lines in #{files} files"
      Bench.capture "java", File.join(Bench::ROOT, "bench/java/LogGenerator.java"), folder, lines, files, seconds,
        jumble
      folder
    end

    # The file contains the same lines, so that only the number of files differs.
    def join(folder)
      whole = "#{folder}-joined"
      FileUtils.mkdir_p whole
      File.open(File.join(whole, "performance_client_0.log"), "w") do |log|
        Dir.glob("#{folder}/**/*.log").sort.each { |part| IO.copy_stream part, log }
      end
      whole
    end

    def gzip(folder)
      copy = "#{folder}-gzip"
      FileUtils.cp_r folder, copy
      Bench.capture "gzip", "-1", *Dir.glob("#{copy}/**/*.log")
      copy
    end

    def zip(folder)
      archive = "#{folder}.zip"
      Bench.capture "jar", "--create", "--no-manifest", "--file", archive, "-C", folder, "."
      archive
    end

    def analyze(logs)
      Bench.capture File.join(Bench::ROOT, "bin/log_analyzer"), "-d", logs, *QUESTION,
        env: { "JAVA_OPTS" => "-Xmx512m" }
    end

    def count_lines(logs)
      Bench.capture "wc", "-l", *Dir.glob("#{logs}/**/*.log")
    end

    def ask_duckdb(modules, logs, suffix)
      Bench.capture "node", File.join(Bench::ROOT, "bench/duckdb.mjs"), modules, logs, suffix
    end

    # DuckDB is kept for later runs of the bench.
    def install_duckdb
      modules = File.join(Bench::ROOT, "tmp/bench/duckdb")
      unless Dir.exist?(File.join(modules, "node_modules/@duckdb/node-api"))
        FileUtils.mkdir_p modules
        File.write File.join(modules, "package.json"), JSON.generate("private" => true)
        Bench.capture "npm", "install", "--no-audit", "--no-fund", "--prefix", modules, "@duckdb/node-api"
      end
      modules
    end

    def gigabytes_of(folder)
      Dir.glob("#{folder}/**/*.log").sum { |log| File.size(log) } / 1e9
    end

    def time
      started = Bench.now
      yield
      Bench.now - started
    end

    def compare_answers(answer, expected)
      mine,
        theirs = [ answer, expected ].map do |csv|
          CSV.parse(csv, headers: true).to_h { |row| [ row.values_at("window", "action"), row ] }
        end
      unless mine.keys.sort_by(&:to_s) == theirs.keys.sort_by(&:to_s)
        raise Bench::Error, "#{mine.size} rows, DuckDB has #{theirs.size}"
      end

      mine.each do |key, row|
        COLUMNS.each do |column|
          next if row[column].to_s.empty? && [ "", "null" ].include?(theirs[key][column].to_s)
          if (Float(row[column]) - Float(theirs[key][column])).abs > ROUNDED
            raise Bench::Error, "#{key.join(" ")}: #{column} is #{row[column]}, not #{theirs[key][column]}"
          end
        end
      end
    end
end
