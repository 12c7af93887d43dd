# An object whose attributes are the words of a table. Modules that override its methods are included after has_words.
module Definition::Worded
  extend ActiveSupport::Concern

  included do
    include ActiveModel::API
    include ActiveModel::Attributes
    include ActiveModel::Validations::Callbacks

    attribute_method_suffix "_before_type_cast", parameters: false

    class_attribute :words, instance_writer: false
    validate { plain_words.each { |word| complain_of word } }
  end

  class_methods do
    def has_words(words)
      self.words = words
      words.grep_v(Definition::Words::Groups).each do |word|
        attribute word.attribute, word.type, default: -> { word.default.dup }
        validates word.attribute, numericality: { only_integer: true, in: word.range } if word.respond_to?(:range)
      end
    end

    # Reads the object from the column of a run.
    def found(kept)
      new.tap { |it| it.find kept }
    end
  end

  # Returns the object for the column of a run, with encrypted passwords; see found.
  def kept
    words.to_h { |word| [ word.name, word.kept(value_of(word)) ] }.compact
  end

  def find(kept)
    find_groups kept
    plain_words.each { |word| public_send "#{word.attribute}=", word.found(kept[word.name]) if kept.key?(word.name) }
  end

  def ==(other)
    other.class == self.class && values.zip(other.values).all? do |mine, theirs|
      theirs.is_a?(Definition::Sealed) ? theirs == mine : mine == theirs
    end
  end

  # Returns the words of YAML and JSON, without secrets.
  def as_json(...)
    to_h.as_json(...)
  end

  def value_of(word)
    word.is_a?(Definition::Words::Groups) ? public_send(word.attribute) : attribute(word.attribute)
  end

  protected
    def values
      words.map { |word| value_of word }
    end

  private
    def find_groups(kept)
    end

    # Returns the words whose values are no objects of their own.
    def plain_words
      words.grep_v(Definition::Words::Groups)
    end

    def complain_of(word)
      complaint = word.is_a?(Definition::Words::Switch) ?
        word.complaint(value_of(word), attribute_before_type_cast(word.attribute)) : word.complaint(value_of(word))
      errors.add word.attribute, complaint if complaint
    end

    def attribute_before_type_cast(name)
      @attributes[name.to_s].value_before_type_cast
    end
end
