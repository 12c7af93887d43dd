# Which points a design has. Sources: R. Jain, The Art of Computer Systems Performance Analysis, 1991, chapters 16 to
# 19; G. Box, W. Hunter, J. Hunter, Statistics for Experimenters.
class Experiment::Design
  NAMES = { "one-factor" => "one factor at a time", "grid" => "full grid", "2k" => "2^k", "2k-p" => "2^(k−p)",
    "points" => "list of points" }
  LETTERS = ("a".."h").to_a # of factors, in their order; "i" is the mean
  GENERATOR = /\A([a-h])\s*=\s*(-?)([a-h]+)\z/

  # factors: with name and levels. points: those of a list, as [ { factor => level }, … ]
  def initialize(name, factors, generators: [], points: [])
    @name, @factors, @generators, @listed = name, factors, generators, points
  end

  # [ { "workers" => 8, … }, … ]; the first factor changes slowest
  def points
    case @name
    when "one-factor" then one_at_a_time
    when "2k-p"       then fraction
    when "points"     then @listed
    else product(@factors)
    end
  end

  # How many points there are, without making them
  def size
    case @name
    when "one-factor" then 1 + @factors.sum { |factor| factor.levels.size - 1 }
    when "2k-p"       then 2**base.size
    when "points"     then @listed.size
    else @factors.inject(1) { |size, factor| size * factor.levels.size }
    end
  end

  # Sentences; none where the points can be made.
  def complaints
    [ *complaints_about_levels, *complaints_about_generators, *complaints_about_points ]
  end

  # Which effects cannot be told apart: [ [ "a", "bcd" ], … ], as the words that the generators multiply to say
  def confounded
    words = defining_words
    effects = (1..2).flat_map { |n| letters.combination(n).map(&:join) }
    effects.map { |effect| [ effect, *words.map { |word| multiply(effect, word) } ].sort_by { |it| [ it.size, it ] } }
      .uniq.reject { |aliases| aliases.size < 2 }
  end

  # The length of the shortest defining word: from 4 on no main effect is confounded with one of two factors.
  def resolution
    defining_words.map(&:size).min
  end

  def letters
    LETTERS.first(@factors.size)
  end

  private
    def product(factors)
      return [ {} ] if factors.empty?

      first, *others = factors.map { |factor| factor.levels.map { |level| [ factor.name, level ] } }
      first.product(*others).map(&:to_h)
    end

    def one_at_a_time
      usual = @factors.to_h { |factor| [ factor.name, factor.levels.first ] }
      [ usual, *@factors.flat_map { |factor| factor.levels.drop(1).map { |level| usual.merge(factor.name => level) } } ]
    end

    # Those whose levels are free; the last ones are set by the generators.
    def base
      @factors.reject.with_index { |_, n| generated.key?(LETTERS[n]) }
    end

    def fraction
      product(base).map do |free|
        @factors.each_with_index.to_h { |factor, n| [ factor.name, level_of(factor, LETTERS[n], free) ] }
      end
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

    # { "d" => [ 1, "abc" ] }
    def generated
      @generated ||= @generators.filter_map { |text| GENERATOR.match(text.to_s.strip) }.to_h do |match|
        [ match[1], [ match[2] == "-" ? -1 : 1, match[3] ] ]
      end
    end

    def defining_words
      generators = generated.map { |letter, (_, word)| multiply(letter, word) }
      products = (1..generators.size).flat_map { |n| generators.combination(n).to_a }
      products.map { |some| some.inject { |one, other| multiply one, other } }
    end

    # Of effects: what is in one of them only.
    def multiply(one, other)
      (one.chars + other.chars).tally.select { |_, count| count.odd? }.keys.sort.join
    end

    def complaints_about_levels
      return [ "experiment: a design needs a factor at least, or find in place of factors" ] if @factors.empty?
      return [] unless @name.start_with?("2k")

      odd = @factors.reject { |factor| factor.levels.size == 2 }
      [ *("A 2^k design has up to #{LETTERS.size} factors, and this has #{@factors.size}" if
          @factors.size > LETTERS.size),
        *odd.map { |factor| "The levels of factor #{factor.name} must be two in a #{@name} design, and are " \
          "#{factor.levels.size}" } ]
    end

    def complaints_about_generators
      if @name == "2k-p"
        return [ "generators must be such as [ d=abc ] in a 2k-p design" ] if @generators.empty?

        @generators.filter_map { |text| complaint_about_generator(text.to_s.strip) } +
          (generated.size < @generators.size ? [ "generators must each set another factor" ] : [])
      elsif @generators.any?
        [ "generators belong to a 2k-p design, and this is #{@name}" ]
      else
        []
      end
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

    def complaints_about_points
      if @name != "points"
        return @listed.any? ? [ "points belong to a design of points, and this is #{@name}" ] : []
      end
      return [ "points must be a list such as [ { workers: 4, clients: 15 } ]" ] if @listed.empty?

      names = @factors.map(&:name)
      wrong = @listed.each_with_index.filter_map do |point, n|
        "points: the #{(n + 1).ordinalize} must have one level of each factor: #{names.join(", ")}" if
          point.keys.sort != names.sort
      end
      wrong += [ "points: one is there twice" ] if @listed.uniq.size < @listed.size
      wrong.first(3)
    end
end
