require "zip"

# Finds the files, processes and databases of a run on this machine.
module RunTracesHelper
  def folder_of(run)
    Rails.configuration.x.run_root.join("run_#{run.id}/local")
  end

  def pid_of(jvm)
    Integer(File.read("#{jvm.directory}/pid"))
  end

  # @return { "logs/local/broker_0/stdout.log" => "…", … }
  def contents_of(archive)
    archive.open do |file|
      Zip::File.open(file.path) do |zip|
        zip.reject(&:directory?).to_h { |entry| [ entry.name, entry.get_input_stream.read ] }
      end
    end
  end

  def assert_nothing_left_of(run)
    folder = Rails.configuration.x.run_root.join("run_#{run.id}").to_s
    assert_not File.exist?(folder), "#{folder} is left"
    assert_empty processes_in(folder), "processes are left"
    assert_empty run.machines.reject(&:released?)
    assert_nil ApplicationRecord.connection
      .select_value("SELECT 1 FROM pg_database WHERE datname = '#{run.run_database.name}'"), "the database is left"
    assert_nil ApplicationRecord.connection
      .select_value("SELECT 1 FROM pg_roles WHERE rolname = '#{run.run_database.name}'"), "its account is left"
  end

  def processes_in(folder)
    Dir["/proc/[0-9]*/cwd"].select { |link| readlink(link).start_with?(folder) }
  end

  private
    def readlink(link)
      File.readlink(link)
    rescue SystemCallError
      ""
    end
end
