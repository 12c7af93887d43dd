class Webhook::DeliverJob < ApplicationJob
  queue_as :errands

  def perform(delivery)
    delivery.deliver
  end
end
