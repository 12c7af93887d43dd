# What a machine could do right before the load of a run. Those of a machine in the past are its normal; a run on a
# machine that has left it is rejected. Existing hosts have a normal each, rented machines one for each type. gaps says
# what could not be measured.
class Machine::Calibration < ApplicationRecord
  RULE = Check::VOCABULARY.fetch("Machines in their normal")
  FACTOR, LEAST, NEGLIGIBLE = RULE.fetch("factor"), RULE.fetch("calibrations"), RULE.fetch("negligible_us")
  KEPT = 100 # of a site

  # The figures by which a machine is judged, with the column that must be the same for comparison.
  FIGURES = { "processor" => nil, "flush" => "folder", "round_trip" => "peer", "network" => "peer" }
  ALL = %w[ processor flush flush_p99 round_trip round_trip_p99 network folder peer ]

  belongs_to :provider
  belongs_to :machine, optional: true # nil once its run is deleted

  scope :remembered, -> { where forgotten_at: nil }
  scope :usual, -> { remembered.where departed: [] }
  scope :of_site, ->(provider, site) { where provider: provider, site: site }

  scope :latest, -> {
    numbered = remembered.select("*", "row_number() OVER (PARTITION BY provider_id, site ORDER BY id DESC) AS age")
    unscoped.from(numbered, table_name).where(age: ..KEPT)
  }

  validates :site, presence: true

  before_create :judge
  after_create :remove_oldest

  # Returns a figure's median, range and count over earlier calibrations; nil if these are too few.
  def normal(figure)
    normals[figure] if normals[figure]&.fetch("count", 0).to_i >= LEAST
  end

  # Returns how many earlier calibrations have the figure.
  def known(figure)
    normals.dig(figure, "count").to_i
  end

  def departed?(figure)
    figure.in?(departed)
  end

  # Returns texts such as "flush 0.09 ms".
  def words
    [ ("fixed work #{ms processor}" if processor), ("flush #{ms flush}, p99 #{ms flush_p99}" if flush),
      ("round trip #{ms round_trip}, p99 #{ms round_trip_p99}" if round_trip),
      ("network #{(network / 1e6).round(network < 1e8 ? 1 : 0)} MB/s" if network) ].compact
  end

  # Returns a hash for the zip and JSON.
  def to_h
    { **ALL.index_with { |name| self[name] }, "normals" => normals.slice(*FIGURES.keys), "departed" => departed,
      "gaps" => gaps }.compact
  end

  private
    def ms(us)
      "#{(us / 1000).round(us < 1000 ? 3 : 2)} ms"
    end

    def judge
      self.normals = FIGURES.keys.index_with { |figure| normal_now(figure) }.compact
      self.departed = FIGURES.keys.select { |figure| self[figure] && normal(figure) && left?(figure) }
    end

    def normal_now(figure)
      context = FIGURES.fetch(figure)
      earlier = self.class.of_site(provider, site).usual.where.not(figure => nil)
      earlier = earlier.where(context => self[context]) if context
      Machine::Normal.of(earlier.order(id: :desc).limit(KEPT).pluck(figure))&.to_h
    end

    def left?(figure)
      value, median = self[figure], normal(figure).fetch("median")
      return value < [ median / FACTOR, normal(figure).fetch("low") ].min if figure == "network"

      value > [ median * FACTOR, median + NEGLIGIBLE, normal(figure).fetch("high") ].max
    end

    # Those of runs that still exist stay with them.
    def remove_oldest
      same = self.class.of_site(provider, site)
      same.where(machine_id: nil).where(id: ..same.order(id: :desc).offset(KEPT).pick(:id).to_i).delete_all
    end
end
