# Checks each host and whether it can serve.
module Provider::Ssh::Checkable
  ROOM = 1.gigabyte

  # Returns one finding for each host, in the order of the list.
  def check
    side_by_side(host_list.map { |host| probe(host) }) { |machine| look_at(machine) }.values
  end

  private
    def probe(host)
      Machine.new(provider: self, name: host.name, reference: host.to_s).tap(&:shell)
    end

    def look_at(machine)
      machine.assign_attributes machine.knowledge(System.default)
      raise Failure.new(machine.clock_in_words, advice: Machine::Knowable::CLOCK_ADVICE) if machine.clock_hopeless?
      concern = concern_about(machine)
      Provider::Finding.new subject: machine.reference,
        message: [ description_of(machine), concern&.first ].compact.join("; "),
        advice: concern&.last || advice_on_systems(machine),
        state: concern ? "warning" : "ok"
    rescue Failure => failure
      Provider::Finding.new subject: machine.reference, message: failure.message, advice: failure.advice,
        state: "failed"
    end

    def description_of(machine)
      "#{machine.description}, #{free_space(machine).to_fs(:human_size)} free, clock " \
        "#{format("%+.1f", machine.clock_offset)} ± #{machine.clock_error} ms"
    end

    def concern_about(machine)
      case
      when free_space(machine) < ROOM then [ "little disk space for logs",
        "Free disk space there, or set the provider's folder to another disk." ]
      when machine.clock_off?         then [ "the clock is off", Machine::Knowable::CLOCK_ADVICE ]
      end
    end

    # Missing packages for brokers of other systems do not prevent it from serving.
    def advice_on_systems(machine)
      missing = System.all.select { |system| system.lacking(machine.facts, [ "broker" ]) }
      "For runs of #{missing.map(&:label).to_sentence}: apt-get install " \
        "#{missing.map(&:packages).join(" ")}" if missing.any?
    end

    def free_space(machine)
      machine.facts["disk_free"].to_i.kilobytes
    end
end
