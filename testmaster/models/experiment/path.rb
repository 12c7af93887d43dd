require "testmaster/overrides"

# A place in the definition of a run that a factor may vary, such as brokers.0.settings.workers.
module Experiment::Path
  LONGEST = 300

  class << self
    # Returns all paths that a factor may vary in this definition, written or with their default.
    def all_in(definition)
      read = Definition.read(definition)
      [ *names_of(read.words), *Scenario.database_settings.map { |setting| "database_settings.#{setting.name}" },
        *of_groups("brokers", read.broker_groups), *of_groups("clients", read.client_groups) ]
    end

    # Returns the validation error, worded to follow the path; nil if the path is known.
    def complaint_about(path, known)
      return if known.include?(path)

      return "is longer than #{LONGEST} characters" if path.size > LONGEST

      guess = DidYouMean::SpellChecker.new(dictionary: known).correct(path).first
      "is not in the definition#{guess ? "; did you mean #{guess}?" : ": write one such as #{known.find { |other|
        other.include?(".settings.") } || known.first}"}"
    end

    # Returns the same for a rate that the phases of the load replace.
    def complaint_about_rate(path, definition)
      group = path[Experiment::Search::RATE, 1]&.then { |n| definition.client_groups[n.to_i] } or return

      "changes only the warm-up, as the first phase of load has a rate: leave that rate out" if
        definition.rates_of_phases?(group) && definition.load_plan.rate_first?
    end

    # Returns the definition with other values at these paths: [ [ path, value ], … ].
    def set(definition, pairs)
      Testmaster::Overrides.new(pairs.map { |path, value| "#{path}=#{value}" }).apply_to(definition.deep_dup)
    end

    private
      def names_of(words)
        words.select(&:varies?).map(&:name)
      end

      def of_groups(word, groups)
        groups.each_with_index.flat_map do |group, n|
          names = names_of(group.words) + settings_of(group).map { |name| "settings.#{name}" }
          names.map { |name| "#{word}.#{n}.#{name}" }
        end
      end

      # Returns the settings of the definition, of its scenario, and of the page of all settings.
      def settings_of(group)
        system = group.system || System.default
        template = system.default? || group.role == "client" ? keys_in(system.template_of(group.role), group.role) : []
        (group.settings.keys + group.known_settings.map(&:name) + template).uniq
          .reject { |key| system.complaint_about(group.role, key) }
      end

      def keys_in(template, role)
        @keys ||= {}
        @keys[template] ||= Rails.root.join(template).read.scan(/^#?\s?#{role}\.([\w.]+)\s*=/).flatten
      end
  end
end
