require "test_helper"

class Address::DatabaseTest < ActiveSupport::TestCase
  test "reads user and password, and hides the password" do
    { "postgresql://anna:se%40cret@db.example.org:5433/bench" => "postgresql://anna@db.example.org:5433/bench",
      "jdbc:postgresql://anna:se%40cret@db.example.org:5433/bench" =>
        "jdbc:postgresql://anna@db.example.org:5433/bench",
      "postgresql://db.example.org:5433/bench?user=anna&password=se%40cret" =>
        "postgresql://anna@db.example.org:5433/bench",
      "jdbc:postgresql://anna@db.example.org:5433/bench?password=se%40cret" =>
        "jdbc:postgresql://anna@db.example.org:5433/bench" }.each do |text, shown|
      address = Address::Database.new(text)
      assert_nil address.complaint, text
      assert_equal [ "anna", "se@cret", "db.example.org", 5433, "bench" ],
        [ address.user, address.password, address.host, address.port, address.name ], text
      assert_equal shown, address.without_password
    end
  end

  test "passes on connection parameters without secrets" do
    address =
      Address::Database.new("postgresql://anna:secret@db/bench?sslmode=verify-full&sslrootcert=/etc/ssl/ours.pem&connect_timeout=5")
    assert_nil address.complaint
    assert_equal({ "sslmode" => "verify-full", "sslrootcert" => "/etc/ssl/ours.pem", "connect_timeout" => "5" },
      address.options)
    assert_equal "?sslmode=verify-full&sslrootcert=%2Fetc%2Fssl%2Fours.pem&connectTimeout=5", address.jdbc_options
    assert_equal "postgresql://anna@db/bench?sslmode=verify-full&sslrootcert=/etc/ssl/ours.pem&connect_timeout=5",
      address.without_password

    { "sslmode=maybe" => /sslmode, which must be disable, allow/,
      "sslrootcert=../x" => /sslrootcert, which must be the path/, "connect_timeout=0" => /number of seconds/,
      "sslkey=/etc/key" => /no others: user, password, sslmode/,
        "options=-csearch_path%3Dx" => /no others/ }.each do |parameter, words|
      assert_match words, Address::Database.new("postgresql://anna@db/bench?#{parameter}").complaint, parameter
    end
  end

  test "a refused address shows no part of its password" do
    [ "postgresql://anna:se@cret-word@db/bench", "postgresql://anna:secret-word",
      "postgresql://anna:secret-word/x@db/bench", "postgresql://anna:1?secret-word@db/bench",
      "postgresql://anna:two secret-words@db/bench",
      "anna:secret-word@db/bench", "mysql://anna:secret-word@db/bench",
      "postgresql://anna@db/bench?sslpassword=secret-word", "jdbc:postgresql:anna:secret-word@db",
      "postgresql://anna:secret-word@db:99999/bench", "postgresql://:secret-word@db/bench",
      "postgresql://anna:%00secret-word@db/bench", "postgresql://anna:secret-word%ff@db/bench" ].each do |text|
      address = Address::Database.new(text)
      assert_predicate address.complaint, :present?, text
      assert_no_match(/cret-word/, address.complaint + address.without_password, text)
    end
  end
end
