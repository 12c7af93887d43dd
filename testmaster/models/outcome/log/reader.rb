# Parses records from a log that arrives in pieces. It keeps those that the block accepts, within a number of records
# and bytes.
class Outcome::Log::Reader
  attr_reader :log, :records

  # most is a number of records, or nil if only room limits them.
  def initialize(log, room:, most: nil, &wanted)
    @log, @room, @most, @wanted = log, room, most, wanted
    @records, @rest, @offset, @record, @kept = [], +"".b, 0, nil, 0
  end

  def take(piece)
    buffer, @rest = @rest << piece.dup.force_encoding(Encoding::BINARY), +"".b
    buffer.each_line do |bytes|
      # A line without an end is cut into several.
      bytes.end_with?("\n") || bytes.bytesize > Outcome::Log::Record::LONGEST ? line(bytes) : @rest = bytes
      break if enough?
    end
  end

  def finish
    line @rest unless @rest.empty? || enough?
    settle
  end

  def enough?
    @kept > @room || (!!@most && @records.size > @most)
  end

  private
    def line(bytes)
      text = bytes.dup.force_encoding(Encoding::UTF_8).scrub
      if @record.nil? || Outcome::Log::Record.begins?(text)
        settle
        @record = Outcome::Log::Record.new(@log, text, @offset)
      else
        @record << text
      end
      @offset += bytes.bytesize
    end

    def settle
      if @record && !enough? && @wanted.call(@record)
        @records << @record
        @kept += @record.bytesize
      end
      @record = nil
    end
end
