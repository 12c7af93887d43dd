require "zip_kit"

# Attaches a zip to a run: { "broker_0/broker_0.log" => text, or a lambda that writes to a sink }
module ZippedLogs
  def attach_zip(run, files)
    Tempfile.create([ "logs", ".zip" ], binmode: true) do |io|
      ZipKit::Streamer.open(io) do |zip|
        files.each do |name, text|
          zip.write_deflated_file("logs/local/#{name}") do |sink|
            text.respond_to?(:call) ? text.call(sink) : sink << text
          end
        end
      end
      io.rewind
      run.archive.attach io: io, filename: "test_run_#{run.id}.zip", content_type: "application/zip", identify: false
    end
  end
end
