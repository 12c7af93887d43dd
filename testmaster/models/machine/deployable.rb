require "rubygems/package"

# Deploys the files of a run: the jars whose digest differs, the files of each JVM, and a monitor.
module Machine::Deployable
  LARGE = 100.kilobytes

  # Returns the names of the jars that were copied. files come from files_of_jvms.
  def deploy(jars, files)
    shell.execute! "mkdir -p #{directory.shellescape}/monitor"
    copied = jars.select { |jar| copy_jar(jar) }.map(&:name)
    shell.execute! "tar -xf - -C #{directory.shellescape}", input: files
    start_monitor
    copied
  end

  # starts is [ [ command line, directory, environment ], … ].
  def start_jvms(starts)
    starts.each do |command, folder, environment|
      shell.start command, directory: folder, environment: environment, below: directory
    end
  end

  # Returns a tar with the files of each JVM. It reads the Testmaster's database, so it is created before machines work
  # in parallel.
  def files_of_jvms
    large = {}
    StringIO.new.tap { |io|
      Gem::Package::TarWriter.new(io) do |tar|
        jvms.each do |jvm|
          jvm.files.each { |name, content| add_file tar, "#{jvm.name}/#{name}", content, large }
        end
      end
    }.tap(&:rewind)
  end

  # Returns the folder of the run, as the machine reported it.
  def folder_told(words)
    words.to_s.chomp.then do |path|
      fit = path.start_with?("/") && path == ForeignText.fit(path, Machine::Limits::PATH) && path.exclude?("\n")
      fit ? path : raise(Failure.new("#{name} did not report the folder of the run", machine: self))
    end
  end

  private
    # A large file of several JVMs is there once; the others have a link to it.
    def add_file(tar, path, content, large)
      if twin = large[content]
        tar.add_symlink path, "#{"../" * path.count("/")}#{twin}", 0777
      else
        large[content] = path if content.bytesize > LARGE
        tar.add_file_simple(path, 0600, content.bytesize) { |entry| entry.write content }
      end
    end

    def copy_jar(jar)
      path = "#{directory}/#{jar.name}"
      return false if shell.execute("sha256sum #{path.shellescape}").output.to_s.start_with?(jar.digest)

      jar.open { |file| shell.upload file, path }
      true
    end

    def start_monitor
      monitor = "#{Machine::Shell::Scripts.home("..")}/monitor.sh"
      shell.start "sh #{monitor} #{Rails.root.to_s.shellescape} 0 #{uncounted_interface}",
        directory: "#{directory}/monitor", below: directory
    end

    # What JVMs of one machine send to one another uses no network, unless machines are addresses of this one.
    def uncounted_interface
      "lo" unless role == "all" || address.to_s.match?(/\A(?:127\.|localhost\z)/)
    end
end
