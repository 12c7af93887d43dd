# Quantiles of Student's t for two-sided intervals of 95 %.
module StudentT
  # Quantiles by degrees of freedom. Beyond the table the last one applies, which gives a slightly wider interval.
  TWO_SIDED = [ nil, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
    2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042 ]

  def self.two_sided(degrees_of_freedom)
    TWO_SIDED[degrees_of_freedom] || TWO_SIDED.last
  end
end
