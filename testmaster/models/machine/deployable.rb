require "rubygems/package"

# What a machine needs of a run: the jar, where its digest differs, the files of each JVM, and a monitor.
module Machine::Deployable
  MONITOR = Rails.root.join("lib/machine/monitor.sh")

  JAR_IS_GONE = /Unable to access jarfile/
  ADVICE_WITHOUT_JAR = "Something removed mlmq.jar from the run's folder on that machine. Launch the run again: the jar is copied anew."

  # Says whether the jar had to be copied.
  def deploy(jar)
    shell.execute! "mkdir -p #{directory.shellescape}"
    copied = copy_jar(jar)
    shell.execute! "tar -xf - -C #{directory.shellescape}", input: files_of_jvms
    start_monitor
    copied
  end

  def start_jvms(jvms, environment)
    jvms.each do |jvm|
      shell.start jvm.command_line, directory: jvm.directory, environment: environment.slice(*jvm.environment_names)
    end
  end

  def jar_path
    "#{directory}/mlmq.jar"
  end

  private
    def copy_jar(jar)
      return false if shell.execute("sha256sum #{jar_path.shellescape}").output.to_s.start_with?(jar.digest)

      jar.open { |file| shell.upload file, jar_path }
      true
    end

    def files_of_jvms
      StringIO.new.tap { |io|
        Gem::Package::TarWriter.new(io) do |tar|
          jvms.each do |jvm|
            jvm.files.each { |name, content| tar.add_file_simple("#{jvm.name}/#{name}", 0600, content.bytesize) { |entry| entry.write content } }
          end
        end
      }.tap(&:rewind)
    end

    def start_monitor
      shell.execute! "mkdir -p #{directory.shellescape}/monitor"
      shell.upload MONITOR.read, "#{directory}/monitor/monitor.sh"
      shell.start "sh monitor.sh", directory: "#{directory}/monitor"
    end
end
