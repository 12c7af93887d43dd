require "test_helper"

class AddressTest < ActiveSupport::TestCase
  test "redacts passwords of addresses in any text" do
    { "database: jdbc:postgresql://anna:secret@db/x failed" => "database: jdbc:postgresql://anna:[FILTERED]@db/x " \
      "failed",
      "fatal: 'https://anna:sec@ret@git.example.org/x.git'" => "fatal: 'https://anna:[FILTERED]@git.example.org/x.git'",
      "https://secret@github.com/x" => "https://[FILTERED]@github.com/x",
      "postgresql://db/x?user=anna&password=secret&x=1" => "postgresql://db/x?user=anna&password=[FILTERED]&x=1",
      "see https://example.org and mail anna@example.org" => "see https://example.org and mail anna@example.org" }
        .each do |text, redacted|
      assert_equal redacted, Address.redact(text)
    end
  end
end
