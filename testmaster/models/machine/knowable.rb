# What a machine is, and how far its clock is from ours.
module Machine::Knowable
  FACTS = <<~SH
    echo "kernel=$(uname -sr)"
    echo "architecture=$(uname -m)"
    echo "cpus=$(getconf _NPROCESSORS_ONLN)"
    echo "cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    echo "memory=$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo)"
    echo "disk_free=$(df -Pk . | tail -n 1 | awk '{ print $4 }')"
    echo "java=$(java -version 2>&1 | head -n 1)"
    echo "system=$(. /etc/os-release 2>/dev/null; echo "$PRETTY_NAME")"
  SH

  def get_to_know
    update! knowledge
  end

  def knowledge
    { facts: facts.merge(ask_facts), clock_offset: provider.one_machine? ? 0 : measure_clock_offset }
  end

  # "2 CPUs, 7.8 GB, OpenJDK 17"
  def description
    [ "#{facts["cpus"]} CPUs", "#{(facts["memory"].to_f / 1024**2).round(1)} GB", facts["java"] ].join(", ")
  end

  private
    def ask_facts
      shell.execute!(FACTS).output.lines.to_h { |line| line.chomp.split("=", 2) }.tap do |answers|
        unless answers["java"].to_s.include?("version")
          raise Failure.new("There is no Java on #{name}", machine: self, advice: "Install Java 17 there: apt-get install openjdk-17-jre-headless")
        end
      end
    end

    # The answer that took least to come is the most exact; it was given halfway.
    def measure_clock_offset
      3.times.map { ask_clock }.min_by(&:first).last
    end

    def ask_clock
      asked = Time.current
      theirs = shell.execute!("date +%s%3N").output.to_i
      answered = Time.current
      [ answered - asked, (theirs - (asked.to_f + answered.to_f) * 500).round(1) ]
    end
end
