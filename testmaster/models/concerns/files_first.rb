# Stores a file before the record that refers to it. A process that is killed meanwhile leaves a file without a record,
# which housekeeping deletes, but never a record without its file. Active Storage by itself does the opposite.
module FilesFirst
  private
    def store(attachment, io, **about)
      attachment.attach ActiveStorage::Blob.create_and_upload!(io: io, identify: false, **about)
    end
end
