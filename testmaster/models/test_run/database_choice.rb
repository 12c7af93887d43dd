# The database as the form asks for it: a kind, and an address where that is a database of one's own.
module TestRun::DatabaseChoice
  def database_kind
    database.in?(TestRun::Databased::KINDS) ? database : "url"
  end

  def database_kind=(kind)
    self.database = kind == "url" ? "" : kind unless kind == database_kind
  end

  # Without the password, which no page shows.
  def database_url
    database_kind == "url" ? database_without_password : ""
  end

  # A form that sends back what it was shown leaves the address, with its password, as it is.
  def database_url=(url)
    self.database = url.to_s.strip if database_kind == "url" && url != database_url
  end
end
