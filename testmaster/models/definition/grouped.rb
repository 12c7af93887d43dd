# Keeps the groups of brokers and of clients, in their order.
module Definition::Grouped
  MOST_GROUPS = 200 # of each role
  OF_A_SERVER_STARTED = %w[ machines jvms heap instance_type ] # these words do not apply to a server at an address

  # Broker groups come first: positions of JVMs are counted, and shown, in this order.
  def groups
    [ *broker_groups, *client_groups ]
  end

  def groups_of(role)
    role == "broker" ? broker_groups : client_groups
  end

  def broker_groups
    @broker_groups ||= []
  end

  def client_groups
    @client_groups ||= []
  end

  def broker_groups=(groups)
    @broker_groups = owned(groups)
  end

  def client_groups=(groups)
    @client_groups = owned(groups)
  end

  # attributes are all groups of a form in their order: [ { "scenario" => … }, … ].
  def broker_groups_attributes=(attributes)
    note_addresses
    @broker_groups = built(Definition::BrokerGroup, attributes)
  end

  def client_groups_attributes=(attributes)
    @client_groups = built(Definition::ClientGroup, attributes)
  end

  # Returns the whole address of an existing group whose shown address is this text.
  def address_shown_as(text)
    @addresses.to_h[text]
  end

  # The longest message that brokers accept [bytes], as of the last validation of the groups; nil if it is unknown.
  attr_reader :longest_message

  # Returns the groups in words: "2 brokers · 30 OneWayClient".
  def mix
    groups.map(&:summary).join(" · ")
  end

  private
    def group_words
      words.grep(Definition::Words::Groups)
    end

    def initialize_dup(other)
      super
      self.broker_groups, self.client_groups = other.broker_groups.map(&:dup), other.client_groups.map(&:dup)
      @errors = nil
    end

    def owned(groups)
      groups.each { |group| group.definition = self }
    end

    def note_addresses
      @addresses = broker_groups.select(&:address?).to_h { |group| [ group.shown_address, group.address ] }
    end

    def built(kind, attributes)
      attributes.reject { |fields| ActiveModel::Type::Boolean.new.cast(fields["_destroy"]) }
        .map { |fields| kind.new(definition: self, **fields.except("_destroy")) }
    end

    # Reads groups as people write them. Errors are added to the mistakes.
    def read_groups(word, definitions)
      return unless definitions

      groups = Array.wrap(definitions).each_with_index.filter_map do |definition, n|
        if definition.is_a?(Hash)
          read_group word.kind, definition, "#{word.name}.#{n}"
        else
          mistakes_in_definition << "#{word.name}.#{n} must be a group such as { scenario: …, machines: 1, jvms: 1 }"
          nil
        end
      end
      public_send "#{word.attribute}=", groups
    end

    def read_group(kind, definition, where)
      note_unknown_words definition, kind.words.map(&:name), where
      if definition["address"].present? && (idle = definition.keys & OF_A_SERVER_STARTED).any?
        mistakes_in_definition << "#{where}.#{idle.first} cannot be combined with address: that server exists already"
      end
      given = kind.words.select { |word| definition.key?(word.name) }
      shaped = well_shaped(definition.slice(*given.map(&:name)), given, where)
      kind.new(definition: self).tap do |group|
        given.each { |word| group.public_send "#{word.attribute}=", shaped[word.name] if shaped.key?(word.name) }
      end
    end

    def validate_groups
      @longest_message = system&.longest_message(broker_groups)
      group_words.each do |word|
        public_send(word.attribute).first(MOST_GROUPS).each do |group|
          next if group.valid?

          group.errors.each { |error| errors.import error, attribute: :"#{word.attribute}.#{error.attribute}" }
        end
      end
    end
end
