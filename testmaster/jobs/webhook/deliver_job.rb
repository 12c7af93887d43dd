class Webhook::DeliverJob < ApplicationJob
  def perform(delivery)
    delivery.deliver
  end
end
