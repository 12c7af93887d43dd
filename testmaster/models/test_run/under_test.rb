# Provides the secrets of the programs of a run.
module TestRun::UnderTest
  # Returns the secrets by the names of environment variables.
  def secrets
    { system.secret => system_password, **credentials.secrets }.compact
  end

  def credentials
    @credentials ||= system.credentials_of(self)
  end

  # Returns the password of the database, of the server that is started for the run, or of the address.
  def system_password
    case
    when in_database?                  then run_database.password
    when (at = definition.at_address)  then at.place.password
    else own_password
    end
  end

  private
    # The password is derived from a secret of this Testmaster, so that it is not stored.
    def own_password
      mark = "#{system} of test run #{id} of #{created_at&.to_fs(:usec)}"
      Rails.application.key_generator.generate_key(mark, 24).unpack1("H*")
    end
end
