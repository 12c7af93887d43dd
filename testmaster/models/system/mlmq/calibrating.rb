# The commands by which machines of a run measure themselves, in the run's folder there. Network tests read a token.
module System::Mlmq::Calibrating
  JAVA = %w[ java -Xmx64m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar ]

  TOO_OLD = "mlmq.jar of this revision cannot calibrate"

  # Returns why a machine did not measure, from its complaint.
  def reason_not_to_calibrate(words)
    words.match?(/Unmatched argument.*calibrate/) ? TOO_OLD : words.lines.first.to_s.strip
  end

  def calibrates?(gaps)
    gaps.exclude?(TOO_OLD)
  end

  def timing_flushes(folder)
    [ *JAVA, jar, "calibrate", "--flush", folder ]
  end

  def serving_network_test(address, seconds)
    [ *JAVA, jar, "calibrate", "--serve", address, "--seconds", seconds.to_s ]
  end

  def testing_network(address)
    [ *JAVA, jar, "calibrate", "--network", address ]
  end
end
