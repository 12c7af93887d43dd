# What a host, or a type of rented machines, usually can do: median and range of its calibrations.
class Machine::Normal
  Figure = Struct.new(:median, :low, :high, :count) do
    def to_h
      super.stringify_keys
    end
  end

  attr_reader :provider, :site

  class << self
    # Returns the median and the range of values; nil if there are none.
    def of(values)
      Figure.new median(values), *values.minmax, values.size if values.any?
    end

    # Returns those of all sites, each from its latest calibrations.
    def all
      Machine::Calibration.latest.preload(:provider).order(:id).group_by { |it| [ it.provider, it.site ] }
        .map { |(provider, site), calibrations| new(provider, site, calibrations) }
        .sort_by { |normal| [ normal.provider.name, normal.site ] }
    end

    # Returns nil if there is none.
    def find(provider_id, site)
      all.find { |normal| normal.provider.id.to_s == provider_id.to_s && normal.site == site }
    end

    private
      def median(values)
        sorted = values.sort
        (sorted[(sorted.size - 1) / 2] + sorted[sorted.size / 2]) / 2.0
      end
  end

  def initialize(provider, site, calibrations)
    @provider, @site, @calibrations = provider, site, calibrations
  end

  def label
    "#{site} of #{provider.name}"
  end

  # Returns how many calibrations it has, without those that had left it.
  def count
    usual.size
  end

  def last_at
    @calibrations.map(&:created_at).max
  end

  # Returns the median and the range of a figure that the latest calibration can be compared with; nil if there is none.
  def figure(name)
    context = Machine::Calibration::FIGURES.fetch(name)
    latest = usual.reverse.find { |it| it[name] } or return

    self.class.of(usual.select { |it| context.nil? || it[context] == latest[context] }.filter_map { |it| it[name] })
  end

  # Forgets it, for a machine that was changed on purpose: the next calibrations make a new one.
  def forget
    Machine::Calibration.of_site(provider, site).remembered.update_all forgotten_at: Time.current
  end

  def as_json(*)
    { "provider" => provider.name, "provider_id" => provider.id, "site" => site, "calibrations" => count,
      "last_at" => last_at, "figures" => Machine::Calibration::FIGURES.keys.index_with { |name| figure(name)&.to_h } }
  end

  private
    def usual
      @usual ||= @calibrations.select { |it| it.departed.empty? }
    end
end
