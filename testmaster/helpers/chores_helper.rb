module ChoresHelper
  # Returns nil if the size is not known in time.
  def free_disk
    Health::DISK.ask.answer
  end

  def attributes_of_limit(chore)
    { aria: { label: "Days for which are kept: #{chore.title}", invalid: (true if chore.errors.any?),
      describedby: ("#{chore.kind}_error" if chore.errors.any?) }.compact }
  end

  # Returns a text such as "2 hours ago: 1,204 rows deleted", and whether work is left.
  def last_time_of(chore)
    return "Not yet" unless chore.measured_at

    parts = [ (removed_by(chore) unless chore.endless?), ("continues within an hour" if chore.unfinished?) ].compact
    safe_join [ ago(chore.performed_at || chore.measured_at), *parts.join(", ").presence ], ": "
  end

  private
    def removed_by(chore)
      case
      when !chore.removed           then nil
      when chore.removed.zero?      then "nothing to delete"
      else "#{number_with_delimiter chore.removed} #{chore.removed == 1 ? chore.thing.singularize : chore.thing} " \
        "deleted#{", #{number_to_human_size chore.freed} freed" if chore.freed}"
      end
    end
end
