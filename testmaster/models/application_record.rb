class ApplicationRecord < ActiveRecord::Base
  primary_abstract_class

  # Returns the version of the saved record, which a form sends back.
  def version
    updated_at_in_database&.utc&.iso8601(6)
  end
end
