# Records the cost of machines as charges.
module Machine::Charged
  extend ActiveSupport::Concern

  included do
    after_save -> { Charge.keep self }, if: -> { hourly_price? && provisioned_at? }
    after_destroy -> { Charge.close self }
  end
end
