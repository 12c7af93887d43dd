class ApplicationRecord < ActiveRecord::Base
  primary_abstract_class

  # Of what is saved, as a form keeps it
  def version
    updated_at_in_database&.utc&.iso8601(6)
  end
end
