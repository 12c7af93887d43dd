# Reads a definition that people write as YAML, or as JSON with the same words. Its mistakes are among the errors once
# it is validated.
module Defined
  extend ActiveSupport::Concern

  included do
    attr_writer :mistakes_in_definition
    validate { mistakes_in_definition.each { |mistake| errors.add :base, mistake } }
    after_validation { errors.objects.reject! { |error| error.attribute != :base } if @definition_unreadable }
  end

  private
    def mistakes_in_definition
      @mistakes_in_definition ||= []
    end

    def read_definition(definition)
      hash = definition.respond_to?(:to_hash) ? definition.to_hash : Definition::Text.parse(definition.to_s)
      hash = Definition::Text.limited(hash)
      return hash.deep_stringify_keys if hash.is_a?(Hash)

      mistakes_in_definition << "The definition must be YAML with words such as name, brokers and clients"
      {}
    rescue Definition::Text::Refused => refusal
      @definition_unreadable = true # the missing words are unknown
      mistakes_in_definition << refusal.message
      {}
    end

    # Returns the definition and the words of the experiment, scaled as the word "scale" says.
    def scaled(hash, words = {})
      scale = Definition::Scale.new(hash.delete("scale"))
      return scale.apply_to(hash, words) unless scale.complaint

      mistakes_in_definition << scale.complaint
      [ hash, words ]
    end

    def note_unknown_words(hash, known, where)
      (hash.keys - known).each do |word|
        guess = DidYouMean::SpellChecker.new(dictionary: known).correct(word).first
        mistakes_in_definition << "#{word.inspect} is not a word of " \
          "#{where}#{guess ? "; did you mean #{guess.inspect}?" : ", which are #{known.join(", ")}"}"
      end
    end

    # Returns the values of these words that have the shape that each word requires. It adds an error for every other
    # value.
    def well_shaped(hash, words, where = nil)
      known = words.index_by(&:name)
      hash.compact.slice(*known.keys).select do |name, value|
        complaint = known.fetch(name).complaint_about_shape(value)
        mistakes_in_definition << "#{[ where, name ].compact.join(".")} must be #{complaint}" if complaint
        complaint.nil?
      end
    end
end
