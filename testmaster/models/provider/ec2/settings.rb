module Provider::Ec2::Settings
  extend ActiveSupport::Concern

  included do
    setting :region, default: "us-east-1", hint: "Where the instances run",
      format: [ /\A[\w-]{1,40}\z/, "must be a region such as eu-central-1" ]
    setting :endpoint, rare: true, hint: "Address of a compatible cloud; empty: AWS, or what AWS_ENDPOINT_URL says",
      format: [ %r{\Ahttps?://[^\s@?#]+\z},
        "must be an http(s) address without user, password or parameters: access key and secret have fields of their " \
          "own" ]

    setting :access_key_id, hint: "Empty: the SDK's own chain (profile, environment, role of this machine)"
    setting :secret_access_key, hint: "Belongs to the access key", secret: true
    setting :session_token, rare: true, hint: "Only for temporary keys", secret: true
    setting :profile, rare: true, hint: "A profile of ~/.aws/config, if no access key is given"

    setting :instance_type, default: "c6i.large",
      hint: "For groups without a type; t types slow down once their credits are spent"
    setting :image, default: "debian-12-amd64-*, debian-12-arm64-*",
      hint: "An id (ami-…), or patterns of names of which the newest is taken"
    setting :image_owner, rare: true, default: "136693071363",
      hint: "Account that publishes it: 136693071363 Debian, 099720109477 Ubuntu, self"
    setting :disk_size, default: 20, type: :integer, range: 8..16_000, hint: "GB"

    setting :subnet, rare: true,
      hint: "One, or several in the order to try; empty: the default subnets of the region's zones"
    setting :placement_group, rare: true, hint: "An existing one, where the instances must be close to one another"
    setting :security_group, rare: true, hint: "An existing one (sg-…); empty: one is made for each run"
    setting :ssh_from, rare: true, default: "here",
      hint: "Who may connect by SSH if a group is made: here, or a range such as 203.0.113.0/24",
      format: [ %r{\A(here|[\d.]+/\d+|[\h:]+/\d+)\z}, "must be 'here' or a range such as 203.0.113.0/24" ]

    setting :ssh_user, rare: true, default: "admin", hint: "admin for Debian, ubuntu for Ubuntu",
      format: [ /\A[a-z_][a-z0-9_-]*\z/, "must be the name of a user" ]
    setting :key_name, rare: true, hint: "An existing key pair; empty: one is made for each run"

    setting :market, default: "on-demand", choices: %w[ on-demand spot ], hint: "Spot is cheaper, but AWS may end it"
    setting :maximum_price, rare: true, type: :decimal, range: 0.0001..1000,
      hint: "USD an hour and instance for spot; empty: at most the price on demand"

    validates :secret_access_key, presence: { message: "is missing: it belongs to the access key" }, if: :access_key_id?
    validates :private_key, presence: { message: "is missing: it belongs to the key pair that is named" }

    validate :key_belongs_to_pair
  end

  def subnets
    subnet.to_s.split(/[\s,]+/)
  end

  private
    def key_belongs_to_pair
      before = settings_in_database.to_h
      if persisted? && key_name? && before["key_name"] != key_name && before["private_key"] == private_key
        errors.add :private_key, "is missing: it belongs to the key pair that is named"
      end
    end
end
