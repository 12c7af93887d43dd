require "zip_kit"

# Runs the log analyzer over the recordings in the zip of the run, and reads its output.
module Profile::Performable
  extend ActiveSupport::Concern
  include Report, FilesFirst

  LARGEST_PART = 4.megabytes

  # Returns { "samples" => …, "method" => [ { "name" => …, "share" => … }, … ], "class" => …, "package" => … } with
  # shares in per cent; nil without samples.
  def tables(choice, what)
    read("#{choice.fetch("key")}.#{what}.json") { |text| JSON.parse(text) } if choice.fetch(what).positive?
  end

  # Returns SVG without styles and scripts; the log analyzer has escaped all names.
  def flame_graph(choice, what)
    read("#{choice.fetch("key")}.#{what}.svg") { |text| text.force_encoding("UTF-8") } if choice.fetch(what).positive?
  end

  private
    def work
      check_cancellation
      Dir.mktmpdir("testmaster-") do |folder|
        written = Pathname(folder).join("profile.zip")
        show_step "Reading the recordings"
        test_run.outcome.open_archive do |zip|
          run_program analyzer_command("profile -d #{zip.shellescape} -fmt parts -out #{written}")
        end
        keep written
      end
    end

    def keep(written)
      make_sure_of_lock
      written.open("rb") do |zip|
        update! parts: part_of(zip, "index.json") { |text| JSON.parse(text) }
        zip.rewind
        store contents, zip, filename: "test_run_#{test_run_id}_profile.zip", content_type: "application/zip"
      end
    end

    def read(name, &block)
      service = contents.blob.service
      return contents.open { |file| part_of(file, name, &block) } unless service.respond_to?(:path_for)

      File.open(service.path_for(contents.blob.key), "rb") { |file| part_of(file, name, &block) }
    end

    def part_of(zip, name)
      entry = ZipKit::FileReader.read_zip_structure(io: zip).find { |one| one.filename == name }
      yield entry.extractor_from(zip).extract(LARGEST_PART) if entry
    end
end
