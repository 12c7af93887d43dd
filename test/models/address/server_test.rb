require "test_helper"

class Address::ServerTest < ActiveSupport::TestCase
  test "separates the password from what is shown" do
    { "amqps://u:p%40ss@mq.example.org/vhost" => [ "p@ss", "amqps://u@mq.example.org/vhost" ],
      "amqp://u:p@[::1]:5673" => [ "p", "amqp://u@[::1]:5673" ],
      "tcp://10.0.0.5:61616" => [ nil, "tcp://10.0.0.5:61616" ],
      "amqp://u:p@a,amqp://b:5673" => [ "p", "amqp://u@a,amqp://u@b:5673" ],
      "postgresql://u:p@db/queue" => [ "p", "postgresql://u@db/queue" ] }.each do |text, (password, shown)|
      address = Address::Server.new(text)
      assert_equal [ nil, password, shown, shown ], [ address.complaint(%w[ amqp amqps tcp postgresql ]),
        address.password, address.for_driver, address.without_password ].map(&:itself), text
    end
  end

  test "refuses a malformed address without quoting it" do
    { "amqp" => "must be a URL", "amqp://" => "name a host", "http://h" => "must be a URL of amqp or amqps",
      "amqp://h:70000" => "port", "amqp://u:se cret@h" => "no blanks", "amqp://u:se@cret@h" => "is not a URL",
      "amqp://u:secret@a,amqp://v:secret@b" => "one user and one password", "amqp:u:secret@h" => "is not a URL",
      "amqp://h?password=secret" => "nowhere else", "a" * 3000 => "2000 characters" }.each do |text, words|
      complaint = Address::Server.new(text).complaint(%w[ amqp amqps ])
      assert_includes complaint.to_s, words, text
      assert_no_match(/secret|se@/, complaint)
    end
  end
end
