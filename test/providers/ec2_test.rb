require "test_helper"

class Provider::Ec2Test < ActiveSupport::TestCase
  test "a name is enough, with key, tag and defaults" do
    one, another = create("one"), create("another")

    assert_match "PRIVATE KEY", one.private_key
    assert_not_equal one.private_key, another.private_key
    assert_not_equal one.owner, another.owner
    assert_equal one.owner, one.tap(&:destroy!).then { create("one").owner },
      "the tag is the same after a reinstallation"
    assert_equal [ "us-east-1", "admin", 22, "on-demand", 5 ],
      [ one.region, one.ssh_user, one.ssh_port, one.market, one.limit_run ]
    assert_equal "ec2", one.kind
  end

  test "secrets are encrypted, kept and never shown" do
    provider = create("cloud", access_key_id: "AKIATEST", secret_access_key: "hushhush")
    stored = Provider.connection.select_value("SELECT settings FROM providers WHERE id = #{provider.id}")

    assert_no_match "hushhush", stored
    assert_no_match(/hushhush|PRIVATE KEY/, provider.inspect)
    provider.update! secret_access_key: "", region: "eu-west-1"
    assert_equal "hushhush", provider.reload.secret_access_key
  end

  test "invalid settings are refused by name" do
    provider = Provider::Ec2.new(name: "cloud", ssh_port: "ssh", market: "free", limit_run: "-1",
      ssh_from: "everywhere", endpoint: "ftp://x", access_key_id: "AKIA", key_name: "mine")

    assert_not provider.valid?
    assert_equal [ "Endpoint must be an http(s) address without user, password or parameters: access key and secret " \
      "have fields of their own", "Limit run must be from 0.01 to 100000", "Market must be one of on-demand, spot",
      "Private key is missing: it belongs to the key pair that is named",
      "SSH from must be 'here' or a range such as 203.0.113.0/24", "SSH port must be a number",
      "Secret access key is missing: it belongs to the access key" ], provider.errors.full_messages.sort
  end

  test "an endpoint with a password is refused unquoted" do
    [ "https://anna:sesame-open@ec2.example.org", "https://sesame-open@ec2.example.org",
      "https://ec2.example.org/?token=sesame-open" ].each do |endpoint|
      provider = Provider::Ec2.new(name: "cloud", endpoint: endpoint)

      assert_not provider.valid?
      assert_match "without user, password or parameters", provider.errors[:endpoint].sole
      assert_no_match "sesame", provider.errors.full_messages.join
    end
  end

  test "a named key pair needs its private key" do
    provider = create("cloud")
    assert_not provider.update(key_name: "mine")
    assert provider.update(key_name: "mine", private_key: OpenSSL::PKey::RSA.generate(2048).to_pem)
  end

  test "the region is fixed while machines are allocated" do
    provider = create("cloud")
    machine = provider.machines.create!(name: "broker_0", role: "broker", state: "ready")

    assert_not provider.update(region: "eu-west-1")
    assert_match(/Region cannot change while machines are allocated/, provider.errors.full_messages.to_sentence)
    machine.released!
    assert provider.update(region: "eu-west-1")
  end

  test "credentials are given, or left to the SDK" do
    provider = create("cloud", access_key_id: "AKIATEST", secret_access_key: "hushhush", endpoint: "http://127.0.0.1:1",
      region: "eu-west-1")
    assert_equal [ "AKIATEST", "eu-west-1", "http://127.0.0.1:1" ],
      [ provider.client.config.credentials.access_key_id, provider.client.config.region,
        provider.client.config.endpoint.to_s ]

    provider.update! region: "eu-central-1"
    assert_equal "eu-central-1", provider.client.config.region
  end

  test "AWS_ENDPOINT_URL is the default endpoint" do
    ENV["AWS_ENDPOINT_URL"] = "http://127.0.0.1:4566"
    assert_equal "http://127.0.0.1:4566",
      create("cloud", access_key_id: "AKIATEST", secret_access_key: "hushhush").client.config.endpoint.to_s
  ensure
    ENV.delete "AWS_ENDPOINT_URL"
  end

  private
    def create(name, **settings)
      Provider::Ec2.create!(name: name, **settings)
    end
end
