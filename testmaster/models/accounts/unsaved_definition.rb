# Keeps the fields that a user has typed into the form of a new run or a draft, valid or not, until the run is saved.
class UnsavedDefinition < ApplicationRecord
  LONGEST = 500.kilobytes

  belongs_to :user
  belongs_to :test_run, optional: true

  encrypts :fields

  validates :fields, length: { maximum: LONGEST, message: "are longer than #{LONGEST / 1.kilobyte} KB" }

  class << self
    # test_run is nil for a new run.
    def keep(user, test_run, fields)
      unsaved = find_or_initialize_by(user: user, test_run: test_run)
      unsaved.tap { |it| it.update fields: fields.to_json, updated_at: Time.current }
    rescue ActiveRecord::RecordNotUnique
      retry
    end

    # Returns nil if there is none, or if the draft was saved later.
    def of(user, test_run)
      unsaved = find_by(user: user, test_run: test_run&.id)
      unsaved unless test_run && unsaved && unsaved.updated_at < test_run.updated_at
    end

    def forget(user, test_run)
      where(user: user, test_run: test_run&.id).delete_all
    end
  end

  def to_params
    JSON.parse(fields)
  end
end
