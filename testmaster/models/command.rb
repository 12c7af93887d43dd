# A line for the command file of one or several JVMs.
class Command < ApplicationRecord
  include Deliverable

  include TestRun::Live::Part

  belongs_to :test_run
  belongs_to :creator, class_name: "User", optional: true, default: -> { Current.user }
  has_many :replies, -> { order :id }, dependent: :delete_all

  normalizes :line, with: ->(line) { line.squish }

  validate :line_can_be_understood
  validates :target, presence: true, length: { maximum: 100 }
  validate :somebody_to_hear_it, on: :create

  # Returns the JVMs of its target that understand it. Targets are "all", "brokers", "clients", "group:clients.0" and
  # "jvm:broker_0".
  def jvms
    targeted.select { |jvm| system.understands?(jvm.role, line.to_s) }
  end

  # Returns the JVMs of its target, whatever they understand.
  def targeted
    kind, name = target.to_s.split(":", 2)

    test_run.jvms.select do |jvm|
      case kind
      when "all"     then true
      when "brokers" then jvm.broker?
      when "clients" then jvm.client?
      when "group"   then jvm.group.key == name
      when "jvm"     then jvm.name == name
      end
    end
  end

  # Returns whether the command makes JVMs record a profile.
  def records?
    line.start_with?("profile ")
  end

  def system
    test_run&.system || System.default
  end

  private
    def line_can_be_understood
      unless system.command?(line.to_s)
        errors.add :line,
          "must be one of #{system.commands.to_sentence(last_word_connector: " or ", two_words_connector: " or ")}"
      end
    end

    def somebody_to_hear_it
      if test_run&.ended?
        errors.add :base, "The run has ended, so none of its JVMs can receive a command"
      elsif test_run && jvms.empty?
        errors.add :target, targeted.any? ? "has no JVM that knows #{line.split.first}: send it to " \
          "#{system.understands?("broker", line) ? "brokers" : "clients"}" : "names no JVM of this run"
      end
    end
end
