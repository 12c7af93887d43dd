class Chore::Archives < Chore
  self.title, self.words, self.endless = "Zips and plots of runs", "They are deleted with their run.", true

  def places
    [ ENV["TESTMASTER_S3_BUCKET"].presence || "storage/" ]
  end

  private
    def size
      ActiveStorage::Blob.sum(:byte_size)
    end
end
