# Writes the line to the command file of each JVM and waits for the JVM's reply.
module Command::Deliverable
  extend ActiveSupport::Concern
  include SideBySide

  LIMIT = 4.minutes # longer than the wait for any reply

  included do
    after_create :expect_replies
    scope :overdue, -> { where id: Reply.pending.where(created_at: ...LIMIT.ago).select(:command_id) }
  end

  def deliver_later
    Command::DeliverJob.perform_later self
  end

  # A JVM that has replied does not get the command again.
  def deliver
    waiting = replies.pending.includes(jvm: :machine).group_by { |reply| reply.jvm.machine }
    waiting.each_key(&:shell)
    under_test, words = system, line
    answers = side_by_side(waiting.to_a) { |machine, replies| ask under_test, machine, replies.map(&:jvm), words }
    answers.each { |(_, replies), answer| replies.each { |reply| reply.take answer[reply.jvm.name] } }
    record_effect if waiting.any?
  end

  # Ends a delivery that was cut off.
  def give_up
    replies.pending.each { |reply| reply.take [ "unanswered", "The delivery was interrupted" ] }
  end

  private
    # The timeline shows the commands that were carried out, and names the JVMs if others refused. A command that every
    # JVM refused has no effect.
    def record_effect
      done = replies.reload.select(&:ok?)
      if done.any?
        whom = done.size < replies.size ? done.map { |reply| reply.jvm.name }.join(", ") : target
        test_run.record_event :command, "#{in_force done} to #{whom.sub(/\A(jvm|group):/, "")}: #{done.size} of " \
          "#{replies.size} #{system.program.pluralize(replies.size)} answered",
          jvm: (replies.sole.jvm if replies.one?), command: id
      end
    end

    # Returns the rate as the JVMs understood it.
    def in_force(done)
      said = done.map(&:text).uniq
      line.start_with?("rate ") && said.one? && said.sole.start_with?("rate ") ? said.sole : line
    end

    def expect_replies
      jvms.each { |jvm| replies.create! jvm: jvm }
    end

    def ask(system, machine, jvms, line)
      system.ask machine, jvms, line
    rescue Failure => failure
      Hash.new [ "unanswered", failure.message ]
    ensure
      machine.close
    end
end
