# The parts of a file that gzip -n has made [bytes]
module Gzip
  HEADER = 10
  TRAILER = 8
end
