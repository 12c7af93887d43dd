require "fileutils"
require "json"
require "zlib"

module Independent
  # Writes a small folder of logs; the same seed writes the same bytes. The seed decides stalls, deaths, ramps, clock
  # offsets, samples, service times, copies and damage.
  class Generator
    START = 1_700_000_000_000
    REQUESTS = %w[ sendMessage dequeueMessage echo ]
    HEADER = "MLMQ performance log Scenario[Mix] Role[%s] Position[%d] Clients[5] "

    def initialize(seed)
      @random, @of_machines = Random.new(seed), Random.new(-seed)
    end

    def write_to(folder)
      @folder = folder
      @seconds = 4 + rand(8)
      @measuring = [ START + rand(3) * 700, nil ].then { |from, _| [ from, from + @seconds * 1000 - rand(3) * 900 ] }
      @stall = START + 1000 + rand(@seconds * 1000) if chance(0.5)
      @summaries, @open = chance(0.75), chance(0.5)
      (1 + rand(3)).times { |position| write_jvm "client", position }
      write_jvm "broker", 0 if chance(0.5)
      write_machines
      folder
    end

    private
      def rand(limit) = @random.rand(limit)
      def chance(share) = @random.rand < share

      # The network of the last machine was not tested.
      def write_machines
        names = %w[ m1 m2 m3 ].first(@of_machines.rand(4))
        names.each { |name| write_machine name }
        tests = names.each_with_index.map do |name, at|
          { name:, calibration: { network: (20_000_000 + @of_machines.rand(9_000_000) unless at == 2) }.compact }
        end
        File.write File.join(@folder, "environment.json"), JSON.generate(machines: tests)
      end

      # A second may have no line, or two.
      def write_machine(name)
        ms = START - @of_machines.rand(1_000)
        lines = (@seconds + 2).times.map do
          ms += 700 + @of_machines.rand(@of_machines.rand < 0.1 ? 3_000 : 600)
          flows = Array.new(2) { @of_machines.rand(30_000_000) }
          [ ms, @of_machines.rand(8_000_000_000), 8_000_000_000, *flows ].join(",")
        end
        path = File.join(@folder, "logs", name, "machine.csv")
        FileUtils.mkdir_p File.dirname(path)
        File.write path, [ "ms,memory_used,memory_total,net_rx,net_tx", *lines, "" ].join("\n")
      end

      def write_jvm(role, position)
        clock = chance(0.2) ? [ 400, -700, 2 * 3_600_000, -90_000_000 ].sample(random: @random) : 0
        sample = chance(0.3) ? 2 + rand(9) : 1
        name = "performance_#{role}_#{position}.log"
        path = File.join(@folder, [ "", "logs/m1" ].sample(random: @random), "#{role}_#{position}", name)
        FileUtils.mkdir_p File.dirname(path)
        text = header(role, position, sample) + lines(role, sample, clock, unit: @unit).join
        store damaged(text), path
        write_summary role, position, clock, File.dirname(path) if role == "client" && @summaries && !chance(0.1)
      end

      def header(role, position, sample)
        @unit = chance(0.9) ? "us" : "ms"
        format(HEADER, role, position) + (@unit == "us" ? "Unit[us] " : "") +
          (sample > 1 ? "Sample[1/#{sample}] " : "") + (chance(0.7) ? "Started[#{START + position}]" : "") + "\n"
      end

      def lines(role, sample, clock, unit:)
        died = START + rand(@seconds * 1000) if chance(0.2)
        begins = START + (chance(0.2) ? 1500 : 0)
        moment = begins.to_f
        ramp = chance(0.3)
        requests = []
        while moment < START + @seconds * 1000
          requests << request(role, moment, unit) if chance(1.0 / sample)
          share = ramp ? 0.2 + (moment - START) / (@seconds * 1000.0) : 1
          moment += 6 * -Math.log(1 - @random.rand) / share
        end
        requests.reject { |stop, _| died && stop >= died }.sort_by(&:first).map do |stop, duration, rest|
          "#{duration};#{stop + clock};#{rest}\n"
        end
      end

      # A stalled server responds to nothing until it continues.
      def request(role, moment, unit)
        service = (300 * Math.exp(1.2 * @random.rand - 0.3)).to_i
        service += ((@stall + 900 - moment) * 1000).to_i if @stall && moment > @stall && moment < @stall + 900
        duration = service + (@open ? rand(200) : 0)
        status = chance(0.97) ? "OK" : %w[ TIMEOUT NOT_STARTED ].sample(random: @random)
        stop = (moment + duration / 1000.0).to_i
        return [ stop, scaled(duration, unit), "BTotReqResp;C[5]" ] if role == "broker"

        context = chance(0.98) ? ";C[5]#{" S[#{scaled service, unit}]" if @open}" : ""
        [ stop, scaled(duration, unit), "CSndReq##{status}##{REQUESTS.sample(random: @random)}#{context}" ]
      end

      def scaled(duration, unit) = unit == "us" ? duration : duration / 1000

      def damaged(text)
        if chance(0.5) && text.lines.size > 9
          lines = text.lines
          (1 + rand(6)).times { damage lines, 1 + rand(lines.size - 1) }
          text = lines.join
        end
        text << "# dropped #{rand(5)}\n" if chance(0.3)
        chance(0.3) ? text[0, text.size - rand(40)] : text
      end

      def damage(lines, at)
        line = lines[at]
        lines[at] = case rand(6)
        when 0 then line.sub(/;1/, ";91") # one digit too many
        when 1 then line.sub(/;1/, ";3")
        when 2 then "#{line.chomp}\r\n"
        when 3 then "\n#{line}"
        when 4 then "2147483648#{line}"
        else line.dup.tap { |copy| copy.setbyte rand(copy.bytesize - 1), 33 + rand(90) }
        end
      end

      def store(text, path)
        compressed = chance(0.3)
        return write_gzip("#{path}.gz", text) if compressed

        File.binwrite path, text
        write_gzip "#{path}.gz", text if chance(0.2)
        FileUtils.ln_s File.basename(path), "#{path}.1" if chance(0.1)
        return unless chance(0.1) && text.include?("Started[")

        copy = File.join(@folder, "copy", File.basename(File.dirname(path)), File.basename(path))
        FileUtils.mkdir_p File.dirname(copy)
        FileUtils.cp path, copy
      end

      def write_gzip(path, text)
        bytes = Zlib.gzip(text)
        File.binwrite path, chance(0.2) ? bytes[0, bytes.bytesize - rand(bytes.bytesize / 2)] : bytes
      end

      def write_summary(role, position, clock, folder)
        from, to = @measuring.map { |ms| ms + clock }
        summary = { role:, position:, started_ms: from + rand(3), duration_s: (to - from) / 1000.0, ok: 1, errors: {} }
        File.write File.join(folder, "summary_client_#{position}.json"), JSON.generate(summary)
      end
  end
end
