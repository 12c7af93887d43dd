# Reads the database in which brokers of a run or of a MessageDatabase keep messages. Reading dequeues nothing,
# waits only briefly for locks, and uses the account of the brokers. Data that cannot be read is a gap with its reason.
class Console
  include Pages

  LIMITS = { statement_timeout: "2s", lock_timeout: "500ms", idle_in_transaction_session_timeout: "2s" }
  # Brokers plan their statements in the same way: a table that was empty a moment ago may be long now.
  PLANS = { jit: "off", enable_seqscan: "off", enable_bitmapscan: "off" }
  PATIENCE = 3 # seconds, to connect
  AT_ONCE = 4 # connections of this web server to all message databases
  BUSY = "#{AT_ONCE} pages are being read, which is the limit. Read again in a moment."

  ROOM = Concurrent::Semaphore.new(AT_ONCE)

  # The rows of a question, or the reason why there are none.
  Answer = Struct.new(:rows, :gap) do
    def row
      rows&.first
    end
  end

  # The answers that one connection read, by the names of the questions, with the server's time and the duration.
  Look = Struct.new(:answers, :read_at, :milliseconds) do
    delegate :[], :fetch, to: :answers

    def rows(name)
      fetch(name).rows
    end

    def gap
      fetch(:tables).gap
    end

    def gaps
      answers.transform_values(&:gap).compact
    end
  end

  attr_reader :owner, :questions, :changes

  delegate :description, to: :database

  # owner is a TestRun or a MessageDatabase.
  def initialize(owner, database, system)
    @owner, @database, @questions, @changes = owner, database, system.questions, system.changes
  end

  # questions is { name => Question }. They run one after the other, each in a read-only transaction of its own.
  def look(**asked)
    began, at = monotonic_now, Time.current
    asked = { tables: questions.tables, **asked }
    answers = asked.keys.zip(ask(asked.values)).to_h
    answers.transform_values! { |answer| Answer.new(nil, gap_of(answers[:tables])) } if gap_of(answers[:tables])
    Look.new(answers, at, ((monotonic_now - began) * 1000).round)
  end

  # Executes a change in one transaction and returns the row of its last statement.
  def change(question)
    within_room do
      text, complaint = database.ask([ question ], settings: LIMITS.merge(PLANS), write: true).first
      complaint ? raise(Failure, complaint.lines.first.strip.upcase_first) : JSON.parse(text).first
    end
  end

  private
    attr_reader :database

    def ask(asked)
      within_room do
        answers = database.ask(asked, settings: LIMITS.merge(PLANS))
        asked.each_index.map { |n| answer_of(*answers[n]) }
      end
    rescue Failure => failure
      asked.map { Answer.new(nil, failure.message) }
    end

    def answer_of(text = nil, complaint = nil)
      complaint ? Answer.new(nil, words_of(complaint)) : Answer.new(rows_in(text), nil)
    rescue JSON::ParserError, TypeError
      Answer.new(nil, "The response of the database is too long for a page, or malformed.")
    end

    # Rows of another shape do not come from PostgreSQL.
    def rows_in(text)
      rows = JSON.parse(text)
      fits = rows.is_a?(Array) && rows.all? { |row| row.is_a?(Hash) && row.all? { |name, value| fits?(name, value) } }
      fits ? rows : raise(TypeError)
    end

    def fits?(name, value)
      return value.nil? || value.is_a?(Numeric) && value.abs < 2**63 if name.in?(questions.class::NUMBERS)

      !value.is_a?(Enumerable)
    end

    def words_of(complaint)
      case complaint
      when /statement timeout/ then "Not read: it took more than #{LIMITS[:statement_timeout].to_i} s."
      when /lock timeout/      then "Not read: another session holds a lock on the table."
      when /relation "schema_version" does not exist/ then "There are no tables of MLMQ in this database."
      else "Not read: #{complaint.lines.first.to_s.strip.truncate(300)}"
      end
    end

    # Tables of another version are not read: their columns may have another meaning.
    def gap_of(tables)
      version = tables.row&.[]("version")
      tables.gap || ("The tables are of version #{version || "unknown"}; the console reads version " \
        "#{questions.version}." unless version == questions.version)
    end

    def within_room
      ROOM.try_acquire(1, 1) or raise Failure, BUSY
      begin
        yield
      ensure
        ROOM.release
      end
    end

    def monotonic_now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
