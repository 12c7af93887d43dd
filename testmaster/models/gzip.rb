# Sizes in bytes of the parts of a file that gzip -n creates.
module Gzip
  HEADER = 10
  TRAILER = 8
end
