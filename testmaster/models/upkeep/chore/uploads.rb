# Deletes files in storage/ that belong to no record, because their run or plot was never completed.
class Chore::Uploads < Chore
  self.title, self.thing = "Files that were not stored completely", "files"
  self.words = "Zips and plots that belong to no run."
  self.usual_days = 2

  def places
    [ "storage/" ]
  end

  private
    def clear
      each_of(left_over.where(created_at: ..limit).find_each) do |blob|
        blob.purge
        removed_file blob.byte_size
      end
    end

    def left_over
      ActiveStorage::Blob.unattached
    end

    def size
      left_over.sum(:byte_size)
    end
end
