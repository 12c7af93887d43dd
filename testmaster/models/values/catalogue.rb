# The descriptions that the Java programs give of themselves with the command describe: versions, keys, scenarios and
# drivers of the clients, plots of the log analyzer. Labels and hints for people are in config/scenarios.yml and
# systems/.
module Catalogue
  FILE = JSON.parse(Rails.root.join(System.default.catalogue).read)
  # The data that each plot needs of a run, in the order in which the form lists plots.
  PLOTS = JSON.parse(Rails.root.join("config/log_analyzer/plots.json").read).fetch("plots")
    .transform_values { |plot| plot.fetch("needs") }
  EVERY = "every" # stands for every operation

  # range is text such as "1..512" or "fixed|poisson".
  Key = Struct.new(:default, :range, :unit, :sentence, keyword_init: true) do
    # Returns nil if it has no numeric limits.
    def limits
      low, high = /\A(-?\d+)\.\.(-?\d*)\z/.match(range)&.captures
      low.to_i..high.presence&.to_i if low
    end

    def choices
      range.split("|") if range.match?(/\A\w+(\|\w+)+\z/)
    end
  end

  class << self
    # name is that of a properties file, such as "broker.workers".
    def key(name)
      keys.fetch(name)
    end

    # Returns the value of a group's setting that is not given.
    def default(name)
      key(name).default
    end

    def scenarios
      FILE.fetch("scenarios")
    end

    # Returns the plots that the recorded data of a run allows, in words of PLOTS.
    def plots_of(recorded)
      PLOTS.select { |_, needs| (needs - recorded).empty? }.keys
    end

    # Returns the operations that a driver can execute; folder contains its own description.
    def operations_of_driver(name, folder = nil)
      told = FILE.dig("drivers", name) || JSON.parse(Rails.root.join(folder, "driver.json").read)
      told.fetch("operations")
    end

    private
      def keys
        @keys ||= [ FILE.fetch("keys"), *keys_of_drivers ].reduce(:merge)
          .transform_values { |row| Key.new(**row.except("type").symbolize_keys) }
      end

      # Returns the keys of drivers, from their own descriptions.
      def keys_of_drivers
        Rails.root.glob("systems/*/driver/driver.json").map { |file| JSON.parse(file.read).fetch("own_keys", {}) }
      end
  end
end
