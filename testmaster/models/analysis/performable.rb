require "zip_kit"

# Runs the log analyzer over the zip of the run, and gnuplot over the scripts that it writes.
module Analysis::Performable
  extend ActiveSupport::Concern
  include Report, FilesFirst

  private
    def work
      Dir.mktmpdir("testmaster-") { |folder| analyze Pathname(folder) }
    end

    def analyze(folder)
      show_step "Reading the logs"
      test_run.outcome.open_archive do |zip|
        run_program analyzer(zip, "-fmt csv -out #{folder.join("table.csv")}") if with_table?
        run_program analyzer(zip, "-fmt gnuplot #{"-kind #{kind} " unless steps?}-out #{folder.join("plot")}")
      end
      show_step "Drawing the plot"
      gnuplot_script = folder.join("plot").glob("*.gp").min
      draw gnuplot_script, "dark"
      gnuplot_script.sub_ext(".svg").rename folder.join("dark.svg")
      draw gnuplot_script, "light"
      check_cancellation
      keep folder, gnuplot_script
    end

    # The analyzer reads the measurement interval from the summaries of the clients.
    def analyzer(zip, output)
      return analyzer_command("experiment -d #{zip.shellescape} -steps #{output}") if steps?

      analyzer_command [ "-d #{zip.shellescape} -window #{window}s -percentiles #{percentiles}",
        ("-type #{prefixes.shelljoin}" if of_actions?), ("-group-by #{split}" if of_actions? && split),
        *part_of_the_load, output ].compact.join(" ")
    end

    def steps?
      kind == Analysis::STEPS
    end

    def with_table?
      of_actions? || steps?
    end

    def part_of_the_load
      { "-from" => from, "-to" => to }.compact.map { |option, second| "#{option} #{(second * 1000).round}ms" }
    end

    def failure_of(words)
      return super unless words.start_with?("No line matches")

      Failure.new(words, advice: "Actions of these logs begin with #{test_run.system.actions.keys.to_sentence}.")
    end

    def keep(folder, gnuplot_script)
      attach table, folder.join("table.csv"), "text/csv" if with_table?
      attach plot, gnuplot_script.sub_ext(".svg"), "image/svg+xml"
      attach dark_plot, folder.join("dark.svg"), "image/svg+xml"
      attach script, gnuplot_script, "text/plain"
      Tempfile.create([ kind, ".zip" ], binmode: true) do |zip|
        zip_folder gnuplot_script.dirname, zip
        zip.rewind
        store data, zip, filename: "#{file_name}.zip", content_type: "application/zip"
      end
    end

    def attach(attachment, path, type)
      path.open("rb") do |io|
        store attachment, io, filename: "#{file_name}#{path.extname}", content_type: type
      end
    end

    def zip_folder(folder, io)
      ZipKit::Streamer.open(io) do |zip|
        folder.glob("**/*").select(&:file?).sort.each do |path|
          zip.write_file(path.relative_path_from(folder).to_s) do |sink|
            path.open("rb") { |file| IO.copy_stream file, sink }
          end
        end
      end
    end

    def file_name
      "test_run_#{test_run_id}_#{kind}_#{id}"
    end
end
