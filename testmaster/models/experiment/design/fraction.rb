# A part of 2^k: generators set the levels of some factors by those of others, so that effects are confounded.
class Experiment::Design::Fraction < Experiment::Design::TwoLevels
  GENERATOR = /\A([a-h])\s*=\s*(-?)([a-h]+)\z/

  self.label, self.matrix = "2^(k−p)", false

  def points
    product(base).map do |free|
      @factors.each_with_index.to_h { |factor, n| [ factor.name, level_of(factor, LETTERS[n], free) ] }
    end
  end

  def size
    2**base.size
  end

  # Returns the confounded effects as [ [ "a", "bcd" ], … ], derived from the defining words; "-bcd" has the opposite
  # sign.
  def confounded
    words = defining_words
    effects = (1..2).flat_map { |n| letters.combination(n).map { |some| [ 1, some.join ] } }
    effects.map { |effect| aliases_of(effect, words) }.uniq.reject { |aliases| aliases.size < 2 }
  end

  # Returns the length of the shortest defining word. From 4 on, no main effect is confounded with an interaction of two
  # factors.
  def resolution
    defining_words.map { |_, letters| letters.size }.min
  end

  private
    # Returns the factors whose levels are free; generators set the last ones.
    def base
      @factors.reject.with_index { |_, n| generated.key?(LETTERS[n]) }
    end

    def level_of(factor, letter, free)
      return free.fetch(factor.name) unless word = generated[letter]

      sign = word.last.chars.inject(word.first) do |product, other|
        product * (free.fetch(factor_of(other).name) == factor_of(other).levels.last ? 1 : -1)
      end
      sign.positive? ? factor.levels.last : factor.levels.first
    end

    def factor_of(letter)
      @factors[LETTERS.index(letter)]
    end

    # Returns { "d" => [ 1, "abc" ] }.
    def generated
      @generated ||= @generators.filter_map { |text| GENERATOR.match(text.to_s.strip) }.to_h do |match|
        [ match[1], [ match[2] == "-" ? -1 : 1, match[3] ] ]
      end
    end

    # Returns [ [ sign, "abcd" ], … ].
    def defining_words
      generators = generated.map { |letter, word| multiply([ 1, letter ], word) }
      products = (1..generators.size).flat_map { |n| generators.combination(n).to_a }
      products.map { |some| some.inject { |one, other| multiply one, other } }
    end

    # Returns the shortest first, without a minus.
    def aliases_of(effect, words)
      all = [ effect, *words.map { |word| multiply(effect, word) } ].sort_by { |_, letters| [ letters.size, letters ] }
      all.map { |sign, letters| "#{"-" unless sign == all.first.first}#{letters}" }
    end

    # The product of two effects has the letters that only one of them has.
    def multiply(one, other)
      letters = (one.last.chars + other.last.chars).tally.select { |_, count| count.odd? }.keys.sort.join
      [ one.first * other.first, letters ]
    end

    def complaints_about_generators
      complaints_about_each_generator.presence || complaints_about_resolution
    end

    def complaints_about_resolution
      return [] unless resolution < 3

      same = defining_words.map(&:last).min_by(&:size).chars.to_sentence
      [ "generators: two factors would have the same effect in all runs (#{same}): take products that differ in more" ]
    end

    def complaints_about_each_generator
      return [ "generators must be such as [ d=abc ] in a 2k-p design" ] if @generators.empty?

      @generators.filter_map { |text| complaint_about_generator(text.to_s.strip) } +
        (generated.size < @generators.size ? [ "generators must each set another factor" ] : [])
    end

    def complaint_about_generator(text)
      match = GENERATOR.match(text)
      case
      when match.nil? then "generators: #{text.truncate(50).inspect} must be such as d=abc"
      when !letters.include?(match[1]) || (match[3].chars - letters).any?
        "generators: #{text} names a factor that is not there; they are #{letters.join(", ")}"
      when match[3].chars.uniq.size < 2 || match[3].chars.uniq.size < match[3].size
        "generators: #{text} must multiply two factors at least, each once"
      when (match[3].chars & @generators.filter_map { |other| GENERATOR.match(other.to_s.strip)&.[](1) }).any?
        "generators: #{text} uses a factor that a generator sets"
      end
    end
end
