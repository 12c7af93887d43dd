module Independent
  # Computes the mean number of requests under way by the records of requests, one by one: the times of those that were
  # to start in the window, to their end, over its length, as docs/reference/scenarios.md says.
  class UnderWay
    # Shares by which it may differ. Starts in records are whole ms; a closed load's times begin when a request was to
    # start, right before it was sent.
    TOLERANCES = { open: 0.01, closed: 0.05 }
    DEVIATIONS = 4 # standard deviations of a sum of which one part in so many is recorded

    # run: a Run of the folder
    def initialize(run)
      from, to = run.steady
      @length = to - from
      @requests = run.records.select do |it|
        it.action.start_with?("CSndReq#") && it.start >= from && it.start < to
      end
    end

    # Returns a sentence if the figure of the log analyzer contradicts the records.
    def differences(told)
      allowed = TOLERANCES[@requests.any?(&:service) ? :open : :closed] * mean + chance
      (told - mean).abs <= allowed ? [] : [ "under_way: analyzer #{told}, independent #{mean} ± #{allowed}" ]
    end

    private
      def mean
        @requests.sum { |it| it.log.weight * time_of(it) } / @length
      end

      def chance
        DEVIATIONS * Math.sqrt(@requests.sum { |it| it.log.weight * (it.log.weight - 1) * time_of(it)**2 }) / @length
      end

      # In an open load a request may have waited before it was sent [ms].
      def time_of(request) = (request.service || request.duration) / 1_000.0
  end
end
