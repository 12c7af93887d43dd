# The secrets that the programs of a run are started with.
module TestRun::UnderTest
  # By the names of variables of the environment
  def secrets
    { system.secret => system_password }.compact
  end

  # That of the database, of the server that is started for the run, or of the address
  def system_password
    case
    when in_database?                  then run_database.password
    when (at = definition.at_address)  then at.place.password
    else own_password
    end
  end

  private
    # Made from what only this Testmaster knows, so that it is kept nowhere.
    def own_password
      mark = "#{system} of test run #{id} of #{created_at&.to_fs(:usec)}"
      Rails.application.key_generator.generate_key(mark, 24).unpack1("H*")
    end
end
