require "zip"

# Reads the zip of a run.
class RunArchive
  def initialize(path)
    @entries = Zip::File.open(path) do |zip|
      zip.select(&:file?).to_h { |entry| [ entry.name, entry.get_input_stream.read ] }
    end
  end

  def names
    @entries.keys
  end

  def read(name)
    @entries.fetch(name)
  end

  # @param pattern selects entries by name
  def extract_to(folder, pattern)
    names.grep(pattern).each do |name|
      FileUtils.mkdir_p File.dirname(File.join(folder, name))
      File.binwrite File.join(folder, name), read(name)
    end
  end

  # @return { id of a message => how often it was sent }; received and left_in_database count likewise
  def sent
    ledger "sent"
  end

  def received
    ledger "received"
  end

  # A message begins with a checksum of 4 bytes and an id of 6 bytes.
  def left_in_database
    CSV.parse(read("database.csv"), headers: true).map { |row| row.fetch("content_begins")[8, 12] }.tally
  end

  private
    def ledger(what)
      @entries.select { |name, _| name.match?(%r{/messages_client_\d+\.csv\z}) }
        .values.flat_map { |text| text.scan(/^#{what};(\h{12});/) }.flatten.tally
    end
end
