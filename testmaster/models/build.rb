# The jars of one revision of the system that is built from this repository. They are built once and kept.
class Build < ApplicationRecord
  include Lockable

  has_many :test_runs, dependent: :nullify

  enum :state, %w[ pending processing completed failed cancelled ].index_by(&:itself)

  INTERRUPTED = "The build was interrupted. The next run that needs it builds again."

  scope :broken, -> { failed.where.not error: INTERRUPTED }
  scope :abandoned, -> { processing.where updated_at: ...30.seconds.ago }

  validates :commit_sha, :revision, presence: true

  attr_accessor :source

  # revision is HEAD, another revision of this checkout, or https://….git#ref.
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

  # Returns the jars that a run of the system needs.
  def jars(system = System.default)
    system.products.keys.map { |name| Build::Jar.new(directory.join(name)) }
  end

  # Builds the missing jars, or waits for a build that is running. It calls the block now and then, which may raise to
  # stop the work.
  def perform(system = System.default, &patience)
    until ready?(system)
      holding_lock { make(system, &patience) unless reload.ready?(system) }
      yield
      sleep 0.2 unless ready?(system)
    end
  end

  # Ends a build whose worker was killed. The next run that needs it starts it again.
  def give_up
    holding_lock do
      if reload.processing?
        update! state: "failed", error: INTERRUPTED, completed_at: Time.current
      end
    end
  end

  def ready?(system = System.default)
    completed? && !needs_work?(system)
  end

  # Returns the seconds of the latest work on it; jars of drivers may have been added long after the first.
  def took
    completed_at - (started_at || created_at) if completed_at
  end

  # Housekeeping keeps builds that were used recently.
  def note_use
    FileUtils.touch directory if directory.exist?
  end

  # Commits with the same sources share their jars.
  def needs_work?(system = System.default)
    !jars(system).all?(&:intact?)
  end

  # Returns the build whose jars this one shares because their sources are the same.
  def origin
    self.class.where(tree: tree).where.not(log: nil).where.not(id: id).first
  end

  private
    def directory
      Rails.configuration.x.build_root.join(tree)
    end

    def make(system)
      update! state: "processing", started_at: Time.current
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

    # Another Testmaster of this checkout, with its own database, may build the same jars at the same time.
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
