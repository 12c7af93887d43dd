# A log file of a JVM. It is read on its machine while the run is active, and from the zip later, and only the requested
# part.
class Outcome::Log
  NAME = /\A#{Machine::Listing::NAME}\z/
  PAGE = 64.kilobytes

  # text has whole lines; from and to are its offsets in the file; bytes is the size of the file, as far as it is known.
  Part = Struct.new(:text, :from, :to, :bytes, :cut, keyword_init: true) do
    def previous
      [ from - PAGE, 0 ].max if from.positive?
    end

    def next
      to if to < bytes && to > from
    end

    def as_json(*)
      to_h.merge(previous: previous, next: self.next).as_json
    end
  end

  class << self
    # Returns a page of a log of the run.
    def read(run, jvm, name, at = nil)
      where_they_are(run).open(run) do |source|
        log = source.find(jvm, name) or
          raise ActiveRecord::RecordNotFound.new("#{jvm} has no log #{name}", "log", :id, name)
        part = log.part(at)
        part.text = Redaction.new(run).of(part.text)
        part
      end
    end

    def where_they_are(run)
      return Archived if run.archive.attached?

      raise Failure, "The run has ended without a zip: its logs are lost" if run.ended?
      raise Failure, "There are no logs yet: no JVM of the run has been started" if run.machines.none?(&:in_hand?)
      OnMachines
    end
  end

  attr_reader :jvm, :name, :bytes

  # jvm is the name of the JVM; name is that of the file.
  def initialize(source, jvm, name, bytes)
    @source, @jvm, @name, @bytes = source, jvm, name, bytes
  end

  # Returns a page from an offset on, or the end of the log. Lines longer than a page are cut.
  def part(at = nil)
    text, from, bytes = @source.read(self, at, PAGE)
    text = text.dup.force_encoding(Encoding::BINARY)
    if at.nil? && from.positive? && (first = text.index("\n"))
      from, text = from + first + 1, text[(first + 1)..]
    end
    whole = text.rindex("\n") if from + text.bytesize < bytes
    text = text[0..whole] if whole
    Part.new text: text.force_encoding(Encoding::UTF_8).scrub, from: from, to: from + text.bytesize, bytes: bytes,
      cut: @source.cut_at && from >= @source.cut_at
  end

  def to_h
    { "jvm" => jvm, "file" => name, "bytes" => bytes }
  end
end
