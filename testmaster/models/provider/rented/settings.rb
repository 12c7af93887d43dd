# Declares the settings that all clouds share. A cloud declares its own before these, among them instance_type and
# ssh_user.
module Provider::Rented::Settings
  extend ActiveSupport::Concern

  PRICE = /[a-z0-9][a-z0-9.-]{0,40} (?![0.]+(?:,|\z))\d{1,4}(\.\d{1,6})?/
  PRICES = /\A#{PRICE}(, ?#{PRICE})*\z/

  included do
    setting :database_instance_type, rare: true, hint: "For the database machine; empty: as for groups"
    setting :address, rare: true, default: "public", choices: %w[ public private ],
      hint: "How the Testmaster reaches the instances"
    setting :ssh_port, rare: true, default: 22, type: :integer, range: 1..65_535, hint: "Of the image's SSH server"
    setting :private_key, rare: true, hint: "For the SSH user; empty: a key is made", secret: true
    setting :boot_timeout, rare: true, default: 600, type: :integer, range: 10..3600,
      hint: "Seconds until an instance must be ready"
    setting :type_prices, rare: true, hint: "USD an hour for instance types, such as x9.large 0.27, x9.huge 1.5",
      format: [ PRICES, "must be types with USD an hour above 0, such as x9.large 0.27, x9.huge 1.5" ]
    setting :limit_run, default: 5.to_d, type: :decimal, range: 0.01..100_000, hint: "USD that one run may cost"
    setting :limit_day, default: 20.to_d, type: :decimal, range: 0.01..100_000,
      hint: "USD that all runs of a day (UTC) may cost"
    setting :limit_instances, default: 20, type: :integer, range: 1..1000, hint: "Instances at once"
    setting :limit_hours, default: 8, type: :integer, range: 1..168,
      hint: "Hours after which an instance shuts itself down, whatever happens"
    setting :owner, rare: true, hint: "Tag of all that this Testmaster makes; another Testmaster needs another one",
      format: [ /\A[\w.@-]{1,40}\z/, "must be letters, digits, . @ - and _" ]

    # Machines at another place, or with another mark, would never be found again, so these settings do not change while
    # machines are allocated.
    class_attribute :settings_of_place, default: %w[ owner ], instance_writer: false

    # These settings select the account of the cloud. Another account knows none of the allocated machines, and an
    # unknown machine counts as ended.
    class_attribute :settings_of_account, default: [], instance_writer: false

    validates :owner, presence: true
    validate :machines_stay_in_sight, :account_knows_machines, on: :update

    before_validation :make_mark, :make_private_key
  end

  private
    # Returns the USD an hour that the provider's settings have for an instance type, or nil.
    def own_price(type)
      type_prices.to_s.split(/, ?/).to_h(&:split)[type]&.to_d
    end

    # The mark is the same after a reinstallation at this place, so that orphaned machines are found.
    def make_mark
      place = [ Socket.gethostname, Rails.root, Rails.env, name ].join("\0")
      self.owner ||= "testmaster-#{Digest::SHA256.hexdigest(place).first(8)}"
    end

    # The private key is created here and never leaves this machine; the cloud gets its public key.
    def make_private_key
      self.private_key = OpenSSL::PKey::RSA.generate(3072).to_pem unless private_key? || key_elsewhere?
    end

    # Returns whether the cloud has the public key already.
    def key_elsewhere?
      false
    end

    def machines_stay_in_sight
      changed = changed_among(settings_of_place)
      if changed.any? && machines.held.any?
        changed.each { |name| errors.add name, "cannot change while machines are allocated" }
      end
    end

    def account_knows_machines
      changed = changed_among(settings_of_account)
      held = machines.held.where.not(reference: nil).order(:id).to_a if changed.any? && errors.none?
      return if held.blank? || self.class.new(settings: settings).impatient.servers_of(held).any?

      errors.add changed.first, "cannot change to a place without the allocated machines: " \
        "#{held.map(&:label).to_sentence.truncate(200)}"
    rescue Provider::Error => error
      errors.add changed.first, "cannot be tried on the machines that are held: #{error.message}"
    end

    def changed_among(names)
      before = settings_in_database.to_h
      names.select { |name| before[name].presence != settings[name].presence }
    end
end
