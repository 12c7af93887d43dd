# Limits the data that a machine of a run may send, as machines are less trusted than the Testmaster. A machine that
# sends more is cut off. The run continues without it, or ends with an error that names the machine.
module Machine::Limits
  SAID = 32.megabytes # of a command whose output is held in memory
  LINE = 16.kilobytes # of progress
  FIGURES, NUMBER, WORD = 60, 10**15, 200 # figures in a line of progress; the largest value; characters of a word
  TIMES = 200_000 # bytes of response times
  LAST_WORDS = 16.kilobytes # of a JVM that has ended
  REPLY = 10_000 # characters
  FACT = 200 # characters
  PATH = 1_000 # characters of a run's folder
  HOST_KEYS, HOST_KEY = 10, 8.kilobytes
  SILENCES_TOLD = 20 # of a JVM, in the timeline

  LISTING = 8.megabytes # of files
  FILES, REFUSED = 10_000, 100 # collected files, and reported names of refused files
  BYTES, INFLATED = 64.gigabytes, 256.gigabytes # of one machine's files, compressed and inflated
  LOGS_SHOWN = 1_000 # files of a machine that a page lists
  COUNTERS_SHOWN = 64.kilobytes # of a database, at one time
  COUNTERS_KEPT = 1.gigabyte # of each file
end
