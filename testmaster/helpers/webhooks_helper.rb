module WebhooksHelper
  DELIVERIES = { "pending" => [ "queued", "Waits" ], "delivered" => [ "finished", "Delivered" ],
    "given_up" => [ "failed", "Given up" ] }

  def delivery_state(delivery)
    shape, word = DELIVERIES.fetch(delivery.state)
    state_tag shape, word
  end
end
