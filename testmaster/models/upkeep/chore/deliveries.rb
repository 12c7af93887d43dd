class Chore::Deliveries < Chore
  self.title, self.thing = "Deliveries of webhooks", "rows"
  self.words = "Deliveries that succeeded or were given up."
  self.tables = %w[ webhook_deliveries ]
  self.usual_days = 90

  private
    def clear
      delete_rows Webhook::Delivery.where.not(state: "pending").where(updated_at: ..limit)
    end
end
