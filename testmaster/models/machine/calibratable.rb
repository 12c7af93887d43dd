# Measures what a machine can do: the processor time of the fixed piece of work, flushes of its disk, and the network to
# another machine of the run. None of these uses the Testmaster's database.
module Machine::Calibratable
  WITHIN = 20 # seconds
  NETWORK_WITHIN = 10
  DATA = "/var/tmp" # database.sh creates databases there
  TIME = /\A\d{1,9}(?:\.\d{1,6})?\z/

  # Returns processor, flush and flush_p99 [us], the folder of the flushes, and gaps: why some are missing.
  def measure_itself
    result = script("calibrate", *System.default.timing_flushes(flushed_in), timeout: WITHIN)
    said = result.output.to_s.scrub
    times = said.lines(chomp: true).grep(TIME).first(100).map(&:to_f)
    { processor: Machine::Normal.of(times)&.median&.round(3), folder: role == "database" ? DATA : "run",
      **(result.success? ? flushes_in(said) : { gaps: [ reason_of(result) ] }) }
  end

  # Serves a network test; see test_network.
  def serve_network_test(port, token)
    words = System.default.serving_network_test("#{address}:#{port}", NETWORK_WITHIN)
    in_folder words, token
  end

  # Returns round_trip and round_trip_p99 [us], and network [bytes/s] to a machine that serves the test.
  def test_network(server, port, token)
    words = System.default.testing_network("#{server}:#{port}")
    found = figures_in(in_folder(words, token).output.to_s.scrub)["network"]
    trip = found["round_trip"] if found.is_a?(Hash)
    { round_trip: number(trip, "median_us"), round_trip_p99: number(trip, "p99_us"),
      network: number(found, "bytes_per_second") }
  end

  # Returns the name under which calibrations of this machine are comparable.
  def site
    (provider.rented? ? instance_type.presence || provider.default_type(role) : host).presence || name
  end

  private
    def flushed_in
      role == "database" ? DATA : "."
    end

    def flushes_in(said)
      flush = figures_in(said)["flush"]
      { flush: number(flush, "median_us"), flush_p99: number(flush, "p99_us") }
    end

    def reason_of(result)
      System.default.reason_not_to_calibrate(result.complaint).presence&.truncate(300) ||
        "calibrate.sh ended with exit code #{result.status}"
    end

    def in_folder(words, token)
      shell.execute! "cd #{directory.shellescape} && exec timeout #{WITHIN - 5} #{words.shelljoin}",
        input: "#{token}\n", timeout: WITHIN
    end

    # The machine may have written anything.
    def figures_in(said)
      line = said.lines(chomp: true).reverse.find { |it| it.start_with?("{") }
      told = JSON.parse(line) if line && line.bytesize <= Machine::Limits::LINE
      told.is_a?(Hash) ? told : {}
    rescue JSON::ParserError
      {}
    end

    def number(told, name)
      value = told[name] if told.is_a?(Hash)
      return value.to_f if value.is_a?(Numeric) && value.positive? && value <= Machine::Limits::NUMBER

      raise Failure.new("#{self.name} did not report #{name} of its calibration", machine: self)
    end
end
