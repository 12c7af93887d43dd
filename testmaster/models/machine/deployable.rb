require "rubygems/package"

# What a machine needs of a run: the jar, where its digest differs, the files of each JVM, and a monitor.
module Machine::Deployable
  # The names of the jars that had to be copied. files: as files_of_jvms tells them
  def deploy(jars, files)
    shell.execute! "mkdir -p #{directory.shellescape}/monitor"
    copied = jars.select { |jar| copy_jar(jar) }.map(&:name)
    shell.execute! "tar -xf - -C #{directory.shellescape}", input: files
    start_monitor
    copied
  end

  # starts: [ [ command line, directory, environment ], … ]
  def start_jvms(starts)
    starts.each do |command, folder, environment|
      shell.start command, directory: folder, environment: environment, below: directory
    end
  end

  # A tar with the files of each JVM. What they say is asked of our own database, so it is made before machines work
  # side by side.
  def files_of_jvms
    StringIO.new.tap { |io|
      Gem::Package::TarWriter.new(io) do |tar|
        jvms.each do |jvm|
          jvm.files.each do |name, content|
            tar.add_file_simple("#{jvm.name}/#{name}", 0600, content.bytesize) { |entry| entry.write content }
          end
        end
      end
    }.tap(&:rewind)
  end

  # Where the folder of the run is, as the machine has told it
  def folder_told(words)
    words.to_s.chomp.then do |path|
      fit = path.start_with?("/") && path == ForeignText.fit(path, Machine::Limits::PATH) && path.exclude?("\n")
      fit ? path : raise(Failure.new("#{name} does not tell where the folder of the run is", machine: self))
    end
  end

  private
    def copy_jar(jar)
      path = "#{directory}/#{jar.name}"
      return false if shell.execute("sha256sum #{path.shellescape}").output.to_s.start_with?(jar.digest)

      jar.open { |file| shell.upload file, path }
      true
    end

    def start_monitor
      monitor = "#{Machine::Shell::Scripts.home("..")}/monitor.sh"
      shell.start "sh #{monitor}", directory: "#{directory}/monitor", below: directory
    end
end
