# Describes a run: its words, its groups of brokers and clients, and the resources that they need. A run keeps one in a
# column. It is no record, so an experiment can derive one for each of its points.
class Definition
  include Worded

  has_words Words::OF_RUN

  include Defined, DatabaseChoice, DatabaseSettings, Estimated, Grouped, Limited, Phased, Priced, Revised, Timed,
    UnderTest, Weighed

  # Stands in for the record that keeps a definition, if there is none.
  class Head
    include ActiveModel::API

    attr_accessor :name, :description, :tags, :provider
  end

  attr_writer :head
  delegate :name, :description, :tags, :provider, to: :head

  validates :broker_groups, presence: { message: "Add at least one broker group" }
  validates :client_groups, presence: { message: "Add at least one client group" }
  validates :broker_groups, :client_groups,
    length: { maximum: MOST_GROUPS, message: "can be %{count} at most: give a group more machines or JVMs instead" }
  validate :validate_groups

  class << self
    # source is YAML, or a hash of the same words. Mistakes are among the errors once the definition is validated.
    def read(source)
      new.tap { |it| it.read source }
    end

    # Returns the parameters that a form sends, as [ word or { group => words }, … ].
    def parameters
      [ *Words::HEAD, *words ].flat_map(&:parameters)
    end
  end

  # Sets the words that the source contains; the others stay.
  def read(source)
    self.mistakes_in_definition, @definition_unreadable = [], false
    hash, = scaled(read_definition(source))
    known = [ *Words::HEAD, *words ]
    note_unknown_words hash, known.map(&:name), "the definition"
    plain = well_shaped(hash, known.grep_v(Words::Groups))
    read_head plain
    plain.delete("database") if plain["database"].blank?
    plain_words.each { |word| public_send "#{word.attribute}=", plain[word.name] if plain.key?(word.name) }
    group_words.each { |word| read_groups word, hash[word.name] }
    self.duration = seconds_of_phases if phases? && !plain.key?("duration")
  end

  # Returns the words of YAML and JSON without secrets: an address loses its password.
  def to_h
    { "name" => name, "description" => description.presence, "tags" => tags.presence, "provider" => provider&.name,
      **words.to_h { |word| [ word.name, word.told(value_of(word)) ] },
      "database" => (database_without_password if in_database?) }.compact
      .except(*("duration" if phases?)) # they tell it
  end

  def head
    @head ||= Head.new
  end

  # Returns whether the source could not be read, so that its missing words are unknown.
  def unreadable?
    !!@definition_unreadable
  end

  # The result contains no address.
  def inspect
    "#<#{self.class.name} #{mix}>"
  end

  private
    def find_groups(kept)
      group_words.each do |word|
        public_send "#{word.attribute}=", Array(kept[word.name]).map { |group| word.kind.found(group) }
      end
    end

    def read_head(plain)
      head.assign_attributes plain.slice("name", "description", "tags")
      read_provider plain["provider"] if plain["provider"].present?
    end

    def read_provider(text)
      if found = Provider.named(text)
        head.provider = found
      else
        head.provider_id = nil
        mistakes_in_definition << "There is no provider #{text.inspect}; there are " \
          "#{Provider.order(:name).pluck(:name).to_sentence.presence || "none yet"}. Choose one, or add it in " \
          "Settings, Providers"
      end
    end
end
