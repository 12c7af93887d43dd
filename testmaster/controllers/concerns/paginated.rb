module Paginated
  PER_PAGE = 20

  Page = Struct.new(:records, :number, :total) do
    def first
      (number - 1) * PER_PAGE + 1
    end

    def last
      first + records.size - 1
    end

    def next
      number + 1 if last < total
    end

    def previous
      number - 1 if number > 1
    end
  end

  private
    def paginate(scope, number: params[:page])
      number = number.to_s.first(10).to_i.clamp(1, 1_000_000)
      Page.new(scope.offset((number - 1) * PER_PAGE).limit(PER_PAGE).to_a, number, scope.count)
    end
end
