# Provides the zip of a run as a file on this machine, for the log analyzer.
module Outcome::Archived
  # If the storage is a disk, the zip is read in place.
  def open_archive(&block)
    unless archive.attached?
      raise Failure.new("The run has no logs yet.", advice: "They can be analysed once they have been collected.")
    end

    service = archive.blob.service
    service.respond_to?(:path_for) ? link_to(service.path_for(archive.blob.key), &block) : archive.open do |file|
      yield file.path
    end
  end

  private
    # The analyzer recognizes a zip by its name.
    def link_to(path)
      Dir.mktmpdir("testmaster-") do |folder|
        link = File.join(folder, archive.filename.to_s)
        File.symlink path, link
        yield link
      end
    end
end
