# One thing that was looked at when a provider was checked.
Provider::Finding = Struct.new(:subject, :message, :advice, :state, keyword_init: true) do
  def ok?
    state == "ok"
  end

  def to_s
    [ "#{state}: #{subject}: #{message}", advice ].compact.join("\n    ")
  end
end
