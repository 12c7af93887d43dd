# How the Testmaster is, for whoever watches over it. Anybody may ask, so no name is told, and nobody waits for long:
# all is asked side by side, and what does not answer in time counts as away.
class Health
  ROOM = 1.gigabyte # which zips, logs and the databases of runs need to be written at all

  DATABASE = Question.new do
    found = nil
    Provider.transaction(requires_new: true) do
      Provider.connection.execute "SET LOCAL statement_timeout = '#{Question::PATIENCE}s'"
      found = Provider.order(:id).pluck(:id, :swept_at, :sweep_failing_since)
      raise ActiveRecord::Rollback # which also takes the limit back
    end
    found
  end
  WORKER = Question.new { { running: Worker.running? } }
  DISK = Question.new { free_bytes }

  # Where less room is left, of the folders that the Testmaster writes to
  def self.free_bytes(folders = [ "storage", "log", "tmp" ])
    paths = folders.map { |folder| Rails.root.join(folder).to_s }.select { |path| File.directory?(path) }
    said, status = Open3.capture2("df", "-Pk", *paths, err: File::NULL)
    said.lines.drop(1).map { |line| line.split[3].to_i.kilobytes }.min if status.success?
  end

  def initialize
    questions = [ DATABASE, WORKER, DISK ].each(&:ask)
    @providers, @worker, @free_bytes = questions.map(&:answer)
  end

  # A provider that cannot be swept is told to administrators, and is no reason to take the Testmaster for dead.
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

    # nil where Redis, which knows, cannot be asked
    def worker? = @worker&.fetch(:running)

    def sweep(id, swept_at, failing_since)
      { provider: id, seconds_since_success: swept_at && (Time.current - swept_at).round,
        seconds_of_failing: failing_since && (Time.current - failing_since).round }
    end
end
