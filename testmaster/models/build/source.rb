# The sources of a revision: a commit of this checkout, its working tree, or a commit of another repository.
class Build::Source
  SHA, SHA_FIRST = /\A\h{40}\z/, /\A\h{40}/

  def self.for(revision)
    case
    when Address::Repository === revision then Remote.new(Address::Repository.new(revision))
    when revision == "HEAD" && (!repository? || changed?) then WorkingTree.new
    else Commit.new(Rails.root, revision)
    end
  end

  # Returns the commit that a revision names now, without fetching it; nil if it is unknown.
  def self.present_version(revision)
    return self.for(revision).version unless Address::Repository === revision

    repository = Address::Repository.new(revision)
    return if repository.complaint
    return repository.ref if repository.ref.match?(SHA)

    Build::Subprocess.run("git", "ls-remote", "--", repository.url, repository.ref, within: 10)[SHA_FIRST]
  rescue Failure
    nil
  end

  # Returns the validation error, worded to follow the field's name, or nil. The revision need not exist.
  def self.complaint_about(revision)
    return "has more than #{Address::Repository::LONGEST} characters" if revision.size > Address::Repository::LONGEST

    case revision
    when Address::Repository      then Address::Repository.new(revision).complaint
    when Address::Repository::REF then nil
    else "must be HEAD, a branch, a tag or a commit of this checkout, or https://….git#branch"
    end
  end

  # Returns the files and folders of a repository on which a build depends.
  def self.parts
    System.default.sources
  end

  def self.repository?
    Rails.root.join(".git").exist?
  end

  def self.changed?
    Build::Subprocess.run("git", "-C", Rails.root, "status", "--porcelain", "--", *parts).present?
  end

  class Commit
    def initialize(repository, revision)
      unless revision.match?(Address::Repository::REF)
        raise Failure.new("#{revision.inspect} is no revision",
          advice: "Write HEAD, a branch, a tag or a commit of this checkout, or https://….git#branch.")
      end
      @repository, @revision = repository, revision
    end

    def version
      @version ||= Build::Subprocess.run("git", "-C", @repository, "rev-parse", "--verify", "--quiet",
        "#{@revision}^{commit}").strip
    rescue Failure
      raise Failure.new("There is no revision #{@revision}",
        advice: "Write HEAD, a branch, a tag or a commit, or https://….git#branch.")
    end

    # Returns the digest of the parts of the commit that are built.
    def tree
      @tree ||= Digest::SHA256.hexdigest(Build::Subprocess.run("git", "-C", @repository, "ls-tree", "-r", version, "--",
        *Build::Source.parts)).first(40)
    end

    def copy_to(directory)
      archive = directory.join("source.tar").to_s
      Build::Subprocess.run "git", "-C", @repository, "archive", "--output", archive, version
      Build::Subprocess.run "tar", "-xf", archive, "-C", directory
    end
  end

  # A remote repository. A local copy of it is kept and updated.
  class Remote
    FETCHED_WITHIN = 1260 # seconds: longer than the wait for the lock and the fetch together
    # Every fetch overwrites FETCH_HEAD, so it is read under the lock, before the next fetch.
    FETCH = <<~SHELL.strip
      git init --quiet --bare "$1" && timeout 300 git -C "$1" fetch --quiet --depth 1 -- "$2" "$3" &&
        git -C "$1" rev-parse --verify --quiet "FETCH_HEAD^{commit}"
    SHELL

    def initialize(repository)
      raise Failure.new("The revision #{repository.complaint}",
        advice: "Write HEAD, a branch, a tag or a commit of this checkout, or " \
          "https://….git#branch.") if repository.complaint
      @url, @ref = repository.url, repository.ref
    end

    delegate :version, :tree, to: :commit

    def copy_to(directory)
      commit.copy_to directory
    end

    private
      def commit
        @commit ||= Commit.new(mirror, fetched)
      end

      def mirror
        Rails.configuration.x.build_root.join("repositories", Digest::SHA256.hexdigest("#{@url}##{@ref}").first(16))
      end

      def fetched
        mirror.mkpath
        Build::Subprocess.run("flock", "--wait", 900, mirror, "sh", "-c", FETCH, "fetch", mirror, @url, @ref,
          within: FETCHED_WITHIN).strip
      rescue Failure => failure
        raise Failure.new("#{@url} cannot be fetched: #{failure.message}",
          advice: "Check the address, the branch after #, and the network of this machine.")
      end
  end

  # The checkout with its uncommitted changes, named by a digest of its content.
  class WorkingTree
    def version
      @version ||= "tree-#{tree}"
    end

    def tree
      @tree ||= files.inject(Digest::SHA256
        .new) { |sum, file| sum << file.relative_path_from(Rails.root).to_s << "\0" << file.binread << "\0" }
          .hexdigest.first(40)
    end

    def copy_to(directory)
      Build::Source.parts.select { |part| Rails.root.join(part).exist? }.each do |part|
        FileUtils.mkdir_p directory.join(part).dirname
        FileUtils.cp_r Rails.root.join(part), directory.join(part)
      end
    end

    private
      def files
        Build::Source.parts.flat_map { |part| Rails
          .root.join(part).then { |path| path.file? ? [ path ] : path.glob("**/*").select(&:file?) } }.sort
      end
  end
end
