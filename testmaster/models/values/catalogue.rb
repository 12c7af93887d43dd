# What the programs in Java know of themselves, as their command describe tells it: versions, keys, scenarios and
# drivers of the clients, plots of the log analyzer. Labels and hints for people are in config/scenarios.yml and
# systems/.
module Catalogue
  FILE = JSON.parse(Rails.root.join(System.default.catalogue).read)
  # What of a run each plot needs, in the order in which people choose among them
  PLOTS = JSON.parse(Rails.root.join("config/log_analyzer/plots.json").read).fetch("plots")
    .transform_values { |plot| plot.fetch("needs") }
  EVERY = "every" # operation

  # range: as it is written, "1..512" or "fixed|poisson"
  Key = Struct.new(:default, :range, :unit, :sentence, keyword_init: true) do
    # nil where it has no numbers for limits
    def limits
      low, high = /\A(-?\d+)\.\.(-?\d*)\z/.match(range)&.captures
      low.to_i..high.presence&.to_i if low
    end

    def choices
      range.split("|") if range.match?(/\A\w+(\|\w+)+\z/)
    end
  end

  class << self
    # name: as in a properties file, "broker.workers"
    def key(name)
      keys.fetch(name)
    end

    # What a setting of a group is where it says nothing
    def default(name)
      key(name).default
    end

    def scenarios
      FILE.fetch("scenarios")
    end

    # The plots that can be drawn of a run where this is recorded, in words of PLOTS
    def plots_of(recorded)
      PLOTS.select { |_, needs| (needs - recorded).empty? }.keys
    end

    # The operations that a driver can execute; folder: where its own description is
    def operations_of_driver(name, folder = nil)
      told = FILE.dig("drivers", name) || JSON.parse(Rails.root.join(folder, "driver.json").read)
      told.fetch("operations")
    end

    private
      def keys
        @keys ||= [ FILE.fetch("keys"), *keys_of_drivers ].reduce(:merge)
          .transform_values { |row| Key.new(**row.except("type").symbolize_keys) }
      end

      # Those that a driver alone has, as it tells them itself
      def keys_of_drivers
        Rails.root.glob("systems/*/driver/driver.json").map { |file| JSON.parse(file.read).fetch("own_keys", {}) }
      end
  end
end
