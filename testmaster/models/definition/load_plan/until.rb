# The condition that ends a phase of the load, such as "backlog = 0" or "p99 < 50 ms for 5 s".
class Definition::LoadPlan::Until < AbortCondition
  AT_ONCE = 1 # seconds that it must hold, if it does not say how long
  UNDER_WAY = 0.1 # seconds: what is received in this time is on its way, and no backlog

  # usual is the highest backlog of the first phase [messages]: as many count as none.
  attr_accessor :usual

  def initialize(text)
    super(text.to_s.match?(FORM) ? text : "#{text} for #{AT_ONCE} s")
    @written = text.to_s.strip
  end

  def text = @written

  private
    def value(figures)
      super&.then do |value|
        figure.of == "backlog" && value <= none_in(figures) ? 0 : value
      end
    end

    def none_in(figures)
      [ usual.to_f, UNDER_WAY * figures.dig("messages", "received").to_f ].max
    end
end
