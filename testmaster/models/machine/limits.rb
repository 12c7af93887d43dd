# What a machine of a run may send at most, whatever it was asked for: machines are less trusted than we are. Who sends
# more is cut off, and the run goes on without it or says which machine it was.
module Machine::Limits
  SAID = 32.megabytes # by a command whose output is held in memory
  LINE = 16.kilobytes # of progress
  FIGURES, NUMBER, WORD = 60, 10**15, 200 # in a line of progress; the largest of them; characters of a word
  TIMES = 200_000 # bytes of response times
  LAST_WORDS = 16.kilobytes # of a JVM that has ended
  REPLY = 10_000 # characters
  FACT = 200 # characters
  PATH = 1_000 # characters of a run's folder
  HOST_KEYS, HOST_KEY = 10, 8.kilobytes
  SILENCES_TOLD = 20 # of a JVM, in the timeline

  LISTING = 8.megabytes # of files
  FILES, REFUSED = 10_000, 100 # files that are collected, and names of others that are told
  BYTES, INFLATED = 64.gigabytes, 256.gigabytes # of one machine's files, compressed and not
  LOGS_SHOWN = 1_000 # files of a machine that a page lists
  COUNTERS_SHOWN = 64.kilobytes # of a database, at one moment
  COUNTERS_KEPT = 1.gigabyte # of each file
end
