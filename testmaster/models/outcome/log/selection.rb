# Selects lines of all logs of a run, by time. It reads and keeps a limited amount; if there are more lines, it tells
# where they begin.
class Outcome::Log::Selection
  LEVELS = %w[ SEVERE WARNING INFO FINE ]
  MOST = 300 # records
  SCANNED = 64.megabytes # of one log that has ended
  KEPT = 32.megabytes # of all records that are held at once
  LONGEST_WORDS = 200

  class Refused < StandardError
  end

  attr_reader :run, :words, :levels, :from, :to, :names, :logs, :records, :following, :trouble

  # from and to are seconds since the start of the load. search says whether words may be searched on active machines,
  # or only in the shown part of their logs.
  def initialize(run, q: nil, level: nil, from: nil, to: nil, jvm: nil, search: true)
    @run, @words, @search = run, q.to_s.strip, search
    refuse "The words may have #{LONGEST_WORDS} characters at most" if @words.size > LONGEST_WORDS
    @levels = among(level, LEVELS, "level")
    @names = among(jvm, run.jvms.map(&:name), "jvm")
    @from, @to = second("from", from), second("to", to)
    refuse "from must be less than to" if @from && @to && @from >= @to
    @cut, @horizon, @redaction = Set.new, nil, Outcome::Log::Redaction.new(run)
    read
  end

  # Returns the logs of which only a part was read.
  def cut
    @cut.to_a
  end

  # Returns whether it shows the current end of the logs.
  def tail?
    !run.ended? && from.nil? && to.nil?
  end

  def filtered?
    words.present? || levels.any?
  end

  def as_json(*)
    { "from" => from, "to" => to, "words" => words, "levels" => levels, "jvms" => names, "next_from" => following,
      "files" => logs.map(&:to_h), "records" => records.map(&:to_h),
      "cut" => cut.map { |log| "#{log.jvm}/#{log.name}" },
      "trouble" => trouble }
  end

  # Returns records and, between them, events of the run; only records if words or levels are searched.
  def entries
    return records if filtered? || names.any? || records.none?(&:time)

    times = records.filter_map(&:time)
    until_then = following ? times.last : bounds.last
    since = from ? bounds.first : times.first
    events = run.events.select { |event| (event.created_at.to_f * 1000).between?(since, until_then) }
    (records + events).sort_by.with_index { |entry, n| [ time_of(entry), n ] }
  end

  # Returns seconds since the start of the load.
  def second_of(entry)
    time = time_of(entry)
    (time - start) / 1000.0 if time.finite?
  end

  private
    def time_of(entry)
      entry.is_a?(Event) ? entry.created_at.to_f * 1000 : entry.time || Float::INFINITY
    end

    def refuse(words)
      raise Refused, words
    end

    def among(given, all, name)
      chosen = Array(given).flat_map { |text| text.to_s.split(",") }.compact_blank
      unknown = chosen - all
      refuse "#{name} must be among #{all.to_sentence}" if unknown.any?
      chosen
    end

    def second(name, text)
      return if text.blank?

      number = Moment.parse(text)
      unless number&.between?(-86_400, 7 * 86_400)
        refuse "#{name} must be a moment of the run, in seconds or as 1:30 since the start of the load"
      end
      number
    end

    def read
      @logs, @records, @trouble = [], [], []
      Outcome::Log.where_they_are(run).open(run) do |source|
        run.archive.attached? ? read_archive(source) : read_machines(source)
      end
      arrange
    rescue Failure => failure
      @trouble << [ failure.message, failure.advice ].compact.join(". ")
    end

    def read_archive(source)
      @logs = source.logs
      wanted = @logs.select { |log| wanted?(log) }
      wanted.each { |log| read_pieces log, source, KEPT / wanted.size }
    end

    # It reads one entry after the other, in pieces, and ends as soon as there are enough records.
    def read_pieces(log, source, room)
      reader = reader_of(log, room)
      passed = 0
      source.each_piece(log) do |piece|
        passed += piece.bytesize
        reader.take piece
        break if reader.enough? || passed > SCANNED
      end
      reader.finish
      keep reader, passed > SCANNED
    end

    def read_machines(source)
      searched = words.presence if @search
      ends = source.ends(searched)
      @logs = source.logs
      @trouble = source.trouble.map { |machine, failure| "#{machine.name} cannot be asked: #{failure.message}" }
      ends.select { |log, _| wanted?(log) }.each do |log, text|
        reader = reader_of(log, KEPT / ends.size)
        shortened = source.shortened?(log, text, searched)
        reader.take source.cut?(log, text, searched) ? text.partition("\n").last : text
        reader.finish
        keep reader, shortened && !(tail? && levels.empty? && words.blank?)
      end
    end

    def reader_of(log, room)
      Outcome::Log::Reader.new(log, room: room, most: tail? ? nil : MOST) do |record|
        settle(record) && wanted_record?(record)
      end
    end

    def keep(reader, cut)
      @cut << reader.log if cut
      @records.concat reader.records
      # The lines after the last record of an incomplete log are unknown.
      @horizon = [ @horizon, reader.records.last.time ].compact.min if reader.enough? && reader.records.last.time
    end

    # The time is converted to the Testmaster's clock.
    def settle(record)
      record.time -= offsets.fetch(record.log.jvm, 0) if record.time
      true
    end

    def offsets
      @offsets ||= run.jvms.includes(:machine).to_h { |jvm| [ jvm.name, jvm.machine.clock_offset.to_f.round ] }
    end

    def wanted?(log)
      (names.empty? || log.jvm.in?(names)) && log.name.in?(names_read.fetch(log.jvm, []))
    end

    def names_read
      @names_read ||= run.jvms.to_h { |jvm| [ jvm.name, run.system.logs_of(jvm) ] }
    end

    # A record without a time was printed outside the log. It is shown unless a time is selected.
    def wanted_record?(record)
      (record.time ? record.time.between?(*bounds) : from.nil? && to.nil?) &&
        (levels.empty? || record.level.in?(levels)) && (words.blank? || record.words.downcase.include?(words.downcase))
    end

    def bounds
      @bounds ||= [ moment(from) || 0, moment(to) || Float::INFINITY ]
    end

    def moment(second)
      second && start + second * 1000
    end

    def start
      @start ||= (run.load_starts_at || run.launched_at || run.created_at).to_f * 1000
    end

    def arrange
      @records.reject! { |record| record.time && record.time > @horizon } if @horizon
      @records.sort_by!.with_index { |record, n| [ record.time || Float::INFINITY, n ] }
      if tail?
        @records = @records.last(MOST)
      elsif @records.size > MOST || @horizon
        @records = @records.first(MOST)
        @following = following_second
      end
      @records.each { |record| record.replace_words @redaction.of(record.words) }
    end

    # The next page begins here; if all records have the same time, after it.
    def following_second
      times = @records.filter_map(&:time)
      return if times.empty?

      last = times.last == times.first ? times.last + 1 : times.last
      ((last - start) / 1000.0).round(3)
    end
end
