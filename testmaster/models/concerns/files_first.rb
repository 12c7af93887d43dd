# A file is in storage before a record says so: whoever is killed meanwhile leaves a file that belongs to nothing, which
# housekeeping deletes, and no record without its file. Active Storage by itself does it the other way round.
module FilesFirst
  private
    def store(attachment, io, **about)
      attachment.attach ActiveStorage::Blob.create_and_upload!(io: io, identify: false, **about)
    end
end
