require "rubygems/package"

# Runs the scripts for machines: lib/machine/*.sh, each with its usage in its head, and serve.sh of each system as
# serve_SYSTEM.sh. They get their input as arguments and by standard input.
#
# Scripts are sent once, all together, to machine/VERSION below a persistent folder, and are called there by one command
# each time. VERSION is a digest of their content, so a worker that resumes a run finds them, and another state of this
# checkout sends its own. Without such a folder, the text of a script is sent with its command.
module Machine::Shell::Scripts
  FOLDER = Rails.root.join("lib/machine")
  NOT_THERE = 93 # exit code

  class << self
    def texts
      @texts ||= FOLDER.glob("*.sh").sort.to_h { |path| [ path.basename(".sh").to_s, path.read ] }.merge(
        "facts" => FOLDER.join("facts.sh").read + driven.map { |it| "echo \"#{it}=$(#{it.installed})\"\n" }.join,
        **driven.to_h { |it| [ "serve_#{it}", System::Driven::FOLDER.join(it.name, "serve.sh").read ] })
    end

    def version
      @version ||= Digest::SHA256.hexdigest(texts.to_a.join("\0")).first(12)
    end

    # Returns their place below a folder of a machine.
    def home(folder)
      "#{folder}/machine/#{version}"
    end

    def tar
      StringIO.new.tap { |io|
        Gem::Package::TarWriter.new(io) do |tar|
          texts.each do |name, text|
            tar.add_file_simple("#{name}.sh", 0644, text.bytesize) { |entry| entry.write text }
          end
        end
      }.tap(&:rewind)
    end

    private
      def driven
        System.all.grep(System::Driven)
      end
  end

  # Runs a script to its end, as execute does.
  def script(name, *arguments, below: nil, input: nil, **options)
    return execute(inline(name, arguments), input: input, **options) unless below

    input = StringIO.new(input) if input.is_a?(String)
    execute(called(name, arguments, below), input: input, **options).then do |result|
      next result unless result.status == NOT_THERE

      script! "receive", below, Machine::Shell::Scripts.version, input: Machine::Shell::Scripts.tar
      input&.rewind
      execute called(name, arguments, below), input: input, **options
    end
  end

  def script!(name, *arguments, **options)
    script(name, *arguments, **options).tap do |result|
      command = "#{name}.sh #{arguments.map(&:to_s).shelljoin}"
      raise Machine::CommandFailed.with(command, result).at(machine) unless result.success?
    end
  end

  private
    def inline(name, arguments)
      words = [ Machine::Shell::Scripts.texts.fetch(name), "#{name}.sh", *arguments ]
      "# #{name}.sh\nexec sh -c #{words.map(&:to_s).shelljoin}"
    end

    def called(name, arguments, below)
      path = "#{Machine::Shell::Scripts.home(below)}/#{name}.sh"
      words = [ path, *arguments ].map(&:to_s).shelljoin
      "# #{name}.sh\n[ -e #{path.shellescape} ] || exit #{NOT_THERE}\nexec sh #{words}"
    end
end
