# The PostgreSQL server with the databases of runs: the Testmaster's own, one on a machine of the run, or one at an
# address.
module DatabaseServer
  ADVICE =
    "Check the URL of the database, its user and password, and whether it can be reached from the machines of the run."

  # A server reports these errors if it runs on while its files were upgraded to another version.
  UPGRADED = /could not (load library|access file)|undefined symbol|incompatible library/
  ADVICE_ON_UPGRADE = "The files of PostgreSQL were upgraded under the running server: restart that server."

  def self.advice_on(words)
    words.match?(UPGRADED) ? ADVICE_ON_UPGRADE : ADVICE
  end
end
