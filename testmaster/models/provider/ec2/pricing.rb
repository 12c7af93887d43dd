# Computes prices of machines from config/ec2_prices.yml and the provider's own prices.
module Provider::Ec2::Pricing
  HOURS_OF_A_MONTH = 730

  # Returns USD per hour for an instance with its disk and address; nil if neither the provider nor the table has a
  # price of the type. Spot instances count at their highest price.
  def hourly_price(type)
    if instance = own_price(type) || listed_price(type)
      instance = [ instance, maximum_price ].compact.min if market == "spot"
      (instance + disk_size * prices["disk_gigabyte_month"]
        .to_d / HOURS_OF_A_MONTH + (address == "public" ? prices["public_address"].to_d : 0)).round(4)
    end
  end

  private
    def listed_price(type)
      prices["instances"][type]&.then { |price| price.to_d * regional_factor }
    end

    def regional_factor
      factors = prices["region_factors"]
      (factors[region] || factors["other"]).to_d
    end
end
