# One result of a provider's check.
Provider::Finding = Struct.new(:subject, :message, :advice, :state, keyword_init: true) do
  def ok?
    state == "ok"
  end

  def to_s
    [ "#{state}: #{subject}: #{message}", advice ].compact.join("\n    ")
  end
end
