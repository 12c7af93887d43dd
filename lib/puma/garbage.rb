# Collects garbage between requests, while none is active. A full collection takes as long as two pages, and would
# otherwise interrupt a request.
module Puma::Garbage
  LIMITED = %i[ old_objects remembered_wb_unprotected_objects oldmalloc_increase_bytes ]
  NEAR = 0.7 # share of the limit that starts a collection

  def self.collect
    GC.start if due?
  end

  def self.due?
    seen = GC.stat
    LIMITED.any? { |name| seen[name] > NEAR * seen[:"#{name}_limit"] }
  end
end
