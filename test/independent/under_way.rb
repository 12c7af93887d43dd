module Independent
  # Computes the mean number of requests under way by the records of requests, one by one: the times in the window
  # between their sending and their end, over its length.
  class UnderWay
    # Shares by which it may differ. Starts in records are whole ms; a closed load's times begin when a request was to
    # start, right before it was sent.
    TOLERANCES = { open: 0.01, closed: 0.05 }
    DEVIATIONS = 4 # standard deviations of a sum of which one part in so many is recorded

    # run: a Run of the folder
    def initialize(run)
      @from, @to = run.steady
      @requests = run.records.select { |it| it.action.start_with?("CSndReq#") && it.stop > @from && it.start < @to }
    end

    # Returns a sentence if the figure of the log analyzer contradicts the records.
    def differences(told)
      allowed = TOLERANCES[@requests.any?(&:service) ? :open : :closed] * mean + chance
      (told - mean).abs <= allowed ? [] : [ "under_way: analyzer #{told}, independent #{mean} ± #{allowed}" ]
    end

    private
      def mean
        @requests.sum { |it| it.log.weight * time_of(it) } / (@to - @from)
      end

      def chance
        squares = @requests.sum { |it| it.log.weight * (it.log.weight - 1) * time_of(it)**2 }
        DEVIATIONS * Math.sqrt(squares) / (@to - @from)
      end

      # In an open load a request may have waited before it was sent [ms].
      def time_of(request)
        sent = request.stop - (request.service || request.duration) / 1_000.0
        [ [ request.stop, @to ].min - [ sent, @from ].max, 0 ].max
      end
  end
end
