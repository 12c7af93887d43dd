# Lists the differences between the definitions and environments of the sides.
class Comparison::Differences
  NOT_COMPARED = %w[ name description tags revision ] # the commit of the revision is compared instead
  HARDWARE = %w[ instance_type cpus cpu memory architecture ]
  FACTS = [ *HARDWARE, "system", "kernel", "java" ]

  def initialize(sides)
    @sides = sides
  end

  # Returns [ { "part" => "definition", "group" => "Brokers", "name" => "workers", "values" => { "A" => "8", "B" => "9"
  # } }, … ].
  def rows
    all.reject { |row| row["values"].values.uniq.size == 1 }
  end

  # Returns the number of settings that are equal.
  def same
    all.size - rows.size
  end

  # Returns the hardware of the machines if it differs.
  def hardware
    rows.select { |row| row["part"] == "environment" && (row["key"].in?(HARDWARE) || row["key"] == "provider") }
  end

  # A name does not change a run, so runs of the same definition may have different names.
  def self.core(test_run)
    test_run.to_definition.except(*NOT_COMPARED)
  end

  private
    def all
      @all ||= compared("definition") { |run| definition_of(run) } +
        compared("environment") { |run| environment_of(run) }
    end

    def compared(part)
      values = @sides.to_h { |side| [ side.letter, merged(side.test_runs.map { |run| yield run }) ] }
      keys = values.each_value.flat_map(&:keys).uniq
      keys.map do |path|
        { "part" => part, "key" => path.last, "group" => group_of(path, keys), "name" => name_of(path),
          "values" => values.transform_values { |known| known[path] } }
      end
    end

    # Repetitions with different values show all of them.
    def merged(runs)
      runs.flat_map(&:keys).uniq.index_with { |path| runs.map { |run| run[path] || "not set" }.uniq.join(", ") }
    end

    # A definition leaves out the default system, but a difference names it.
    def definition_of(run)
      core = self.class.core(run)
      brokers = core["brokers"]&.map { |group| { "system" => System.default.name, **group } }
      flat(core.merge({ "brokers" => brokers }.compact))
    end

    def flat(value, path = [])
      case value
      when Hash  then value.flat_map { |key, inside| flat(inside, [ *path, key ]).to_a }.to_h
      when Array
        return { path => value.join(", ") } unless value.first.is_a?(Hash)
        value.each_with_index.flat_map { |inside, n| flat(inside, [ *path, n ]).to_a }.to_h
      else { path => value.to_s }
      end
    end

    def environment_of(run)
      facts = run.machines.group_by(&:role).flat_map do |role, machines|
        FACTS.filter_map do |name|
          known = machines.filter_map { |machine| fact(machine, name) }.uniq.sort
          [ [ "machines", role, name ], known.join(", ") ] if known.any?
        end
      end
      { [ "provider" ] => run.provider.kind, [ "commit" ] => run.build&.commit_sha&.first(12), **facts.to_h }.compact
    end

    def fact(machine, name)
      case name
      when "instance_type" then machine.instance_type.presence
      when "memory"        then machine.facts[name]&.then { |kb| "#{(kb.to_f / 1.megabyte).round(1)} GB" }
      else machine.facts[name].presence&.to_s
      end
    end

    # Turns [ "brokers", 1, "settings", "workers" ] into "Brokers 2" if there is a second group.
    def group_of(path, keys)
      case path
      in [ "machines", role, _ ]             then role == "all" ? "Machine" : "Machines of #{role.pluralize}"
      in [ String => first, Integer => n, * ]
        keys.any? { |key| key.first(2) == [ first, 1 ] } ? "#{first.humanize} #{n + 1}" : first.humanize
      in [ String => first, String, * ]       then first.humanize
      else nil
      end
    end

    def name_of(path)
      path.last.to_s.tr("_", " ")
    end
end
