module Machine::Priced
  SHORTEST = 60 # seconds; less is billed as much

  # Returns USD since the given time.
  def cost(since: provisioned_at)
    return 0.to_d unless hourly_price && provisioned_at

    from = [ since, provisioned_at ].max
    till = [ released_at || Time.current, provisioned_at + SHORTEST ].max
    ([ till - from, 0 ].max.to_d / 3600 * hourly_price).round(6)
  end
end
