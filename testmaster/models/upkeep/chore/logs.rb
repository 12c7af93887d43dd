# Rotates the logs of the Testmaster and of the services that bin/services starts: once a day, compressed.
class Chore::Logs < Chore
  self.title, self.thing = "Logs of the Testmaster and its services", "files"
  self.words = "Logs of runs are in their zips."
  self.usual_days = 14

  WORTH = 1.megabyte # a smaller log is not rotated

  class_attribute :home, default: Rails.root

  def folders
    [ home.join("log"), *logs_of_services ]
  end

  private
    def clear
      each_of(logs) { |log| put_aside log if log.size >= WORTH }
      each_of(logs_put_aside) { |file| remove_file file if file.mtime < limit }
    end

    def logs
      [ *home.join("log").glob("{*,demo/*}.log"), *logs_of_services ].reject(&:symlink?)
    end

    # The result includes logs that Rails has rotated itself because they grew too large within a day.
    def logs_put_aside
      logs.map(&:dirname).uniq.flat_map { |folder| folder.glob("*.log.{[0-9],[0-9]*.gz}") }.reject(&:symlink?)
    end

    # bin/services records the place of its logs; older versions have them in tmp/.
    def logs_of_services
      %w[ var tmp ].flat_map do |folder|
        told = home.join(folder, "services/home")
        services = told.file? ? Pathname(told.read.chomp) : home.join(folder, "services")
        %w[ postgresql/server.log redis/redis.log ].map { |name| services.join(name) }
      end.select(&:file?).uniq
    end

    # The writer continues with the same file at its end. Lines between the copy and the truncation are lost, which is a
    # short time.
    def put_aside(log)
      aside = log.dirname.join("#{log.basename}.#{Time.current.utc.strftime("%Y%m%d%H%M%S")}.gz")
      before = log.size
      compress log, aside
      log.truncate 0
      @removed += 1
      @freed = @freed.to_i + before - aside.size
    end

    def compress(log, aside)
      part = aside.sub_ext(".part")
      log.open("rb") do |from|
        part.open("wb", 0600) do |to|
          Zlib::GzipWriter.wrap(to) { |gzip| IO.copy_stream from, gzip }
        end
      end
      part.rename aside
    ensure
      FileUtils.rm_f part
    end
end
