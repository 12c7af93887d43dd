# The jar of one revision of the system that is built from this repository, made once and kept.
class Build < ApplicationRecord
  include Lockable

  has_many :test_runs, dependent: :nullify

  enum :state, %w[ pending processing completed failed cancelled ].index_by(&:itself)

  scope :abandoned, -> { processing.where updated_at: ...30.seconds.ago }

  validates :commit_sha, :revision, presence: true

  attr_accessor :source

  # revision: HEAD or another of this checkout, or https://….git#ref
  def self.of(revision)
    source = Build::Source.for(revision)
    find_or_create_by!(commit_sha: source.version) { |build| build.assign_attributes revision: revision,
      tree: source.tree }.tap { |build| build.source = source }
  end

  def short_version
    "#{revision} (#{commit_sha.first(12)})"
  end

  def jar
    jars.first
  end

  # Those that a run of a system needs
  def jars(system = System.default)
    system.products.keys.map { |name| Build::Jar.new(directory.join(name)) }
  end

  # Makes the jars where they are not there yet. Who finds them being made waits. The block is called now and then and
  # may end it all.
  def perform(system = System.default, &patience)
    until ready?(system)
      holding_lock { make(system, &patience) unless reload.ready?(system) }
      yield
      sleep 0.2 unless ready?(system)
    end
  end

  # For one that nobody is at any more, as its worker was killed. The next run that needs it makes it.
  def give_up
    holding_lock do
      if reload.processing?
        update! state: "failed", error: "The build was cut off. The next run that needs it builds again.",
          completed_at: Time.current
      end
    end
  end

  def ready?(system = System.default)
    completed? && !needs_work?(system)
  end

  # By which housekeeping knows that it is wanted
  def note_use
    FileUtils.touch directory if directory.exist?
  end

  # Commits that differ in other things only have the same jars.
  def needs_work?(system = System.default)
    !jars(system).all?(&:intact?)
  end

  # The build whose jar this one shares, as both have the same sources
  def origin
    self.class.where(tree: tree).where.not(log: nil).where.not(id: id).first
  end

  private
    def directory
      Rails.configuration.x.build_root.join(tree)
    end

    def make(system)
      processing!
      alone_in_directory(-> { yield }) do
        if needs_work?(system)
          Build::Maven.new(directory, system).package(source) { |output| update_columns(log: output) && yield }
        end
      end
      update! state: "completed", error: nil, completed_at: Time.current
    rescue Failure => failure
      update! state: "failed", error: failure.message, completed_at: Time.current
      raise
    rescue Cancelled
      update! state: "cancelled", completed_at: Time.current
      raise
    end

    # Another Testmaster of this checkout, with a database of its own, may be making the same jars.
    def alone_in_directory(patience)
      directory.mkpath
      directory.join(".lock").open(File::CREAT | File::RDWR) do |file|
        until file.flock(File::LOCK_EX | File::LOCK_NB)
          patience.call
          sleep 0.2
        end
        yield
      end
    end
end
