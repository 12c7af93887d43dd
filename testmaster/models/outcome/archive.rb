require "zip_kit"
require "csv"

# Writes the zip of a run to a stream. Logs arrive compressed from their machines and are included unchanged.
class Outcome::Archive
  Item = Struct.new(:machine, :file, :compressed)

  # It reads all data from the Testmaster's database here, so that writing needs no database.
  def initialize(test_run, items, extras)
    @texts, @items, @extras = texts_of(test_run), items, extras
  end

  def write_to(io)
    ZipKit::Streamer.open(io) do |zip|
      @texts.each { |name, text| zip.write_file(name) { |sink| sink << text } }
      @extras.each { |name, path| zip.write_file(name) { |sink| path.open("rb") { |file| IO.copy_stream file, sink } } }
      @items.each { |item| write_log zip, item }
    end
  end

  private
    def texts_of(test_run)
      { "test_run.yml" => test_run.to_definition.to_yaml,
        "environment.json" => JSON.pretty_generate(Outcome::Environment.new(test_run).to_h),
        "experiment.json" => test_run.as_part_of_experiment&.then { |part| JSON.pretty_generate(part) },
        "events.csv" => events_of(test_run), "build.log" => test_run.build&.log }.compact
    end

    def events_of(test_run)
      CSV.generate do |csv|
        csv << %w[ time ms phase name machine jvm message ]
        test_run.events.reload.includes(:machine, jvm: :machine).each do |event|
          csv << [ event.created_at.utc.iso8601(3), (event.created_at.to_f * 1000).round, event.phase, event.name,
            event.machine&.name, event.jvm&.name, event.message ]
        end
      end
    end

    def write_log(zip, item)
      body = item.file.compressed_bytes - Gzip::HEADER - Gzip::TRAILER
      item.compressed.open("rb") do |gzip|
        gzip.seek(-Gzip::TRAILER, IO::SEEK_END)
        crc32, bytes = gzip.read(Gzip::TRAILER).unpack("V2")
        gzip.seek Gzip::HEADER
        zip.add_deflated_entry filename: name_in_zip(item), compressed_size: body,
          uncompressed_size: whole(bytes, item.file.bytes), crc32: crc32
        IO.copy_stream gzip, zip, body
      end
    end

    # The trailer of gzip contains the size modulo 4 GiB. The file may have grown by a line since then.
    def whole(bytes, about)
      bytes + ((about - bytes) / 2.0**32).round * 2**32
    end

    # Returns logs/<machine>/<role>_<position>/<file>.
    def name_in_zip(item)
      "logs/#{item.machine}/#{item.file.path_in_zip}"
    end
end
