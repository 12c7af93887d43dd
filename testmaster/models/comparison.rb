# Compares runs side by side. The first side is the baseline; the runs of one side are its repetitions.
class Comparison < ApplicationRecord
  MOST_SIDES = 6 # readers can distinguish so many colours and shapes
  MOST_RUNS = 24

  include Live, Performable, Represented

  belongs_to :creator, class_name: "User", default: -> { Current.user || User.order(:id).first }
  belongs_to :test_run, optional: true # the run that an automatic comparison compares with its baseline

  has_many :entries, -> { order :side, :id }, dependent: :delete_all, inverse_of: :comparison
  has_many :test_runs, through: :entries

  validate :sides_can_be_compared, on: :create
  validate :limits_can_be_understood

  scope :reverse_chronologically, -> { order created_at: :desc, id: :desc }
  scope :unweighed, -> { completed.where worse_by: nil }

  # Returns all runs of a tag that have logs, the latest of each definition as repetitions. The first side is the
  # oldest, or the baseline of the tag.
  def self.sides_of_tag(tag)
    runs = TestRun.comparable.tagged(tag).latest.limit(MOST_RUNS).preloaded.to_a.reverse
    sides = as_repetitions(runs).then { |groups| groups.many? ? groups : runs.map { |run| [ run ] } }
    sides.last(MOST_SIDES).map { |side| side.map(&:id) }
  end

  def self.sides_of_repetitions(ids)
    runs = TestRun.where(id: ids.grep(/\A\d{1,18}\z/)).preloaded.index_by { |run| run.id.to_s }.values_at(*ids)
    as_repetitions(runs.compact).map { |side| side.map(&:id) }
  end

  # Returns [ [ run, … ], … ]: runs of the same definition and the same build are repetitions of one side.
  def self.as_repetitions(runs)
    runs.group_by { |run| [ Differences.core(run), run.build_id ] }.values
  end
  private_class_method :as_repetitions

  # sides is [ [ id, … ], … ], with the baseline first. A side of one run may be its id alone.
  def sides=(sides)
    ids = Array(sides).map { |side| Array(side).map(&:to_s) }.reject(&:empty?)
    numbers = ids.flatten.grep(/\A\d{1,18}\z/).first(1_000)
    found = TestRun.where(id: numbers).with_attached_archive.index_by { |run| run.id.to_s }
    @unknown = ids.flatten - found.keys
    self.entries = ids.each_with_index.flat_map do |side, n|
      found.values_at(*side.uniq).compact.map do |run|
        Entry.new(side: n, test_run: run, number: run.id, name: run.name)
      end
    end
  end

  def sides
    entries.group_by(&:side).sort.map.with_index { |(_, entries), n| Side.new(n, entries) }
  end

  # Computes the comparison again with another side as the baseline.
  def baseline=(letter)
    order = sides.partition { |side| side.letter == letter.to_s }.flatten
    order.each_with_index { |side, n| side.entries.each { |entry| entry.side = n } }
  end

  # An automatic comparison always compares one run with the baseline of its name.
  def baseline_can_be?(letter)
    ended? && test_run_id.nil? && sides.map(&:letter).include?(letter)
  end

  # Makes another side the baseline and compares again. Returns false with an error if that is not possible.
  def rebase(letter)
    unless baseline_can_be?(letter)
      errors.add :baseline, "must be one of #{sides.map(&:letter).to_sentence}; an active comparison must end first, " \
        "and one that was made automatically for a run keeps its baseline"
      return false
    end

    transaction do
      self.baseline = letter
      entries.each(&:save!)
      entries.reset
      update! state: "pending", attempts: 0, results: {}, error: nil, step: nil, cancelled_at: nil, completed_at: nil
    end
    perform_later
    true
  end

  # Returns "3 runs of Stability", or the names.
  def title
    names = entries.map(&:name).uniq
    names.one? ? "#{entries.size} runs of #{names.first}" : names.to_sentence.truncate(120)
  end

  private
    def sides_can_be_compared
      case
      when @unknown.present?
        errors.add :sides, "have no test run #{@unknown.first(5).to_sentence.truncate(200)}"
      when sides.size < 2           then errors.add :sides, "must be at least two: choose another run"
      when sides.size > MOST_SIDES  then errors.add :sides, "are #{sides.size}, more than #{MOST_SIDES}"
      when entries.size > MOST_RUNS then errors.add :sides, "have #{entries.size} runs, more than #{MOST_RUNS}"
      when entries.map(&:number).uniq.size < entries.size
        errors.add :sides, "have a run twice"
      else complain_of_runs_without_logs
      end
    end

    def complain_of_runs_without_logs
      entries.map(&:test_run).reject { |run| run.ended? && run.archive.attached? }.each do |run|
        errors.add :sides, "have run #{run.id}, which #{run.ended? ? "has no logs" : "has not ended"}: leave it out"
      end
    end

    def limits_can_be_understood
      errors.add :limits, "must be 20 at most" if limits.size > 20
      limits.each do |text|
        complaint = Condition.new(text, :comparison).complaint
        errors.add :limits, "#{text.truncate(100).inspect} #{complaint}" if complaint
      end
    end
end
