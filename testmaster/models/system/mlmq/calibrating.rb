# The commands by which machines of a run measure themselves, in the run's folder there. Network tests read a token.
module System::Mlmq::Calibrating
  JAVA = %w[ java -Xmx64m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar ]

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
