require "test_helper"

class Address::DatabaseTest < ActiveSupport::TestCase
  test "user and password are found wherever an address may have them, and never shown" do
    { "postgresql://anna:se%40cret@db.example.org:5433/bench" => "postgresql://anna@db.example.org:5433/bench",
      "jdbc:postgresql://anna:se%40cret@db.example.org:5433/bench" => "jdbc:postgresql://anna@db.example.org:5433/bench",
      "postgresql://db.example.org:5433/bench?user=anna&password=se%40cret" => "postgresql://anna@db.example.org:5433/bench",
      "jdbc:postgresql://anna@db.example.org:5433/bench?password=se%40cret" => "jdbc:postgresql://anna@db.example.org:5433/bench" }.each do |text, shown|
      address = Address::Database.new(text)
      assert_nil address.complaint, text
      assert_equal [ "anna", "se@cret", "db.example.org", 5433, "bench" ], [ address.user, address.password, address.host, address.port, address.name ], text
      assert_equal shown, address.without_password
    end
  end

  test "an address that cannot be understood is refused in words that do not quote it, and not shown with its password either" do
    [ "postgresql://anna:se@cret-word@db/bench", "postgresql://anna:secret-word", "postgresql://anna:secret-word/x@db/bench", "postgresql://anna:1?secret-word@db/bench", "postgresql://anna:two secret-words@db/bench",
      "anna:secret-word@db/bench", "mysql://anna:secret-word@db/bench", "postgresql://anna@db/bench?sslpassword=secret-word", "jdbc:postgresql:anna:secret-word@db",
      "postgresql://anna:secret-word@db:99999/bench", "postgresql://:secret-word@db/bench", "postgresql://anna:%00secret-word@db/bench", "postgresql://anna:secret-word%ff@db/bench" ].each do |text|
      address = Address::Database.new(text)
      assert_predicate address.complaint, :present?, text
      assert_no_match(/cret-word/, address.complaint + address.without_password, text)
    end
  end
end
