# Packages the sources with Maven in a temporary folder.
class Build::Maven
  PROGRAM = Rails.root.join("bin/maven")
  LIMIT = 15 * 60 # seconds

  def initialize(directory, system)
    @directory, @system = directory, system
  end

  # Yields the output of Maven at intervals.
  def package(source, &block)
    FileUtils.mkdir_p @directory
    Dir.mktmpdir("source-", @directory) do |folder|
      source.copy_to Pathname(folder)
      maven folder, &block
      @system.products.each do |name, path|
        Build::Jar.new(@directory.join(name)).put product(Pathname(folder), path)
      end
    end
  end

  private
    # Other revisions may have the module in another folder, so it is found by its name.
    def product(folder, path)
      built = folder.join(path)
      built.exist? ? built : folder.glob("**/target/#{built.basename}").first || built
    end

    def maven(folder, &block)
      output = Output.new(&block)
      result = Machine::Shell::Local.new.execute(command_in(folder), output: output, timeout: LIMIT)
      output.flush
      unless result.success?
        raise Failure.new(cause_in(output.text, folder),
          advice: "The whole log of the build is on the run's page. bin/maven #{@system.build_arguments} shows it on " \
            "this machine.")
      end
    end

    # Maven ends with this process.
    def command_in(folder)
      "cd #{folder.shellescape} && MAVEN_PROJECT=#{folder.shellescape} exec setpriv --pdeathsig KILL " \
        "#{PROGRAM.to_s.shellescape} -ntp -DskipTests -Dwithout.javadoc #{@system.build_arguments} 2>&1"
    end

    # Returns the first line that names a file, or else the first error.
    def cause_in(log, folder)
      return "There is no Maven on this machine. Run bin/setup." if log.match?(/mvn: (not found|No such file)/)

      errors = log.scrub.lines.grep(/\A\[ERROR\]/)
        .map { |line| line.delete_prefix("[ERROR]").gsub("#{folder}/", "").strip }.compact_blank
      "The build failed: #{errors.grep(/\.java:\[?\d+/).first || errors.first || log.lines.last(3).join.strip}"
    end

  # Passes on a program's output at most once a second. Sources of users may print anything.
  class Output
    LONGEST = 8.megabytes

    attr_reader :text

    def initialize(&told)
      @text, @told, @told_at = String.new, told, 0
    end

    def <<(chunk)
      raise Failure, "The build said more than #{LONGEST} bytes" if @text.bytesize + chunk.bytesize > LONGEST

      @text << chunk
      flush if Process.clock_gettime(Process::CLOCK_MONOTONIC) - @told_at > 1
      self
    end

    def flush
      @told_at = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      @told&.call @text.dup.force_encoding("UTF-8").scrub.delete("\0")
    end
  end
end
