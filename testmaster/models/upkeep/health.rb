# Reports the health of the Testmaster for monitoring. Anybody may read it, so it contains no names. All checks run in
# parallel, and one without an answer in time counts as unavailable.
class Health
  ROOM = 1.gigabyte # which zips, logs and the databases of runs need at least

  DATABASE = Question.new do
    found = nil
    Provider.transaction(requires_new: true) do
      Provider.connection.execute "SET LOCAL statement_timeout = '#{Question::PATIENCE}s'"
      found = Provider.order(:id).pluck(:id, :swept_at, :sweep_failing_since)
      raise ActiveRecord::Rollback # this also resets the limit
    end
    found
  end
  WORKER = Question.new { { running: Worker.running? } }
  DISK = Question.new { free_bytes }

  # Returns the smallest free space of the folders that the Testmaster writes to.
  def self.free_bytes(folders = [ "storage", "log", "tmp" ])
    paths = folders.map { |folder| Rails.root.join(folder).to_s }.select { |path| File.directory?(path) }
    said, status = Open3.capture2("df", "-Pk", *paths, err: File::NULL)
    said.lines.drop(1).map { |line| line.split[3].to_i.kilobytes }.min if status.success?
  end

  def initialize
    questions = [ DATABASE, WORKER, DISK ].each(&:ask)
    @providers, @worker, @free_bytes = questions.map(&:answer)
  end

  # A provider that cannot be swept is reported to administrators, and does not make the Testmaster unhealthy.
  def sound?
    database? && redis? && worker? && room?
  end

  def as_json(*)
    { sound: sound?, database: database?, redis: redis?, worker: worker?,
      disk: { room: room?, free_bytes: @free_bytes },
      sweeps: @providers&.map { |id, swept_at, failing_since| sweep(id, swept_at, failing_since) } }
  end

  private
    def database? = !@providers.nil?
    def redis? = !worker?.nil?
    def room? = !!@free_bytes&.>=(ROOM)

    # Returns nil if Redis, which knows it, is unavailable.
    def worker? = @worker&.fetch(:running)

    def sweep(id, swept_at, failing_since)
      { provider: id, seconds_since_success: swept_at && (Time.current - swept_at).round,
        seconds_of_failing: failing_since && (Time.current - failing_since).round }
    end
end
