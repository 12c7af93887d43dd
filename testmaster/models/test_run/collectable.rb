# Whatever happened: stop what runs, keep what there is to know, give the machines back. A step that fails does not hold up the next.
module TestRun::Collectable
  private
    # Once all machines are being given back there is nothing more to gather, whoever began with that.
    def collect
      gather unless machines.any? && machines.all? { |machine| machine.releasing? || machine.released? }
      conclude
    end

    def gather
      stop_jvms
      dump_database
      attempt("write the zip") { archive_logs }
      drop_database
    end

    # What the block returns; nil, and an entry in the timeline, where it fails.
    def attempt(what)
      heed_lost_lock
      yield
    rescue Failure, SystemCallError => failure
      record_event :missing, "Could not #{what}: #{failure.message}"
      out_of_reach << failure.machine if failure.is_a?(Machine::Unreachable)
      nil
    end

    def missing
      events.where(name: "missing").pluck(:message)
    end

    def machines_in_hand
      machines.select(&:in_hand?)
    end

    # Without those that did not answer before: they are asked once more for their logs, but not at every step.
    def machines_within_reach
      machines_in_hand - out_of_reach
    end

    def out_of_reach
      @out_of_reach ||= []
    end

    def dump_database
      if database_created? && !spool.join("database.csv").exist?
        attempt "write down what is left in the database" do
          spool.mkpath
          part = spool.join("database.csv.part")
          part.open("wb") { |file| attended { run_database.dump file } }
          part.rename spool.join("database.csv")
        end
      end
    end

    def drop_database
      if database_begun? && (!keep_database || database == "machine")
        attempt("wait for whoever makes the database") { give_up_on_database } unless database_created?
        attempt("drop the database") { run_database.drop }
      end
    end

    # A worker that was killed may have left its making at work.
    def give_up_on_database
      run_database.give_up_on brokers.first.machine if machines_within_reach.include?(brokers.first.machine)
    end

    # Here lie the files of the run between its machines and its zip.
    def spool
      Rails.configuration.x.run_root.join("run_#{id}", "spool")
    end

    def conclude
      release_machines
      clear_up
      assign_attributes state: outcome, ended_at: Time.current
      complain_of_missing
      correct_advice
      transaction do
        record_event state, state.capitalize, phase: "collecting"
        save! validate: false
      end
      call_next_in_queue
    end

    def clear_up
      if archive.attached?
        FileUtils.rm_rf spool.dirname
      else
        record_event :missing, "There is no zip. What was collected stays in #{spool}"
      end
    end

    # What is advised while a run goes on speaks of a zip that is to come.
    def correct_advice
      if advice&.include?("zip") && !archive.attached?
        self.advice = "There is no zip of this run. What was collected stays in #{spool}; the timeline says what is missing, and why."
      end
    end

    def outcome
      case
      when error?          then "failed"
      when cancelled_at?   then "cancelled"
      when missing.present? then "failed"
      else "finished"
      end
    end

    def complain_of_missing
      if failed? && !error?
        assign_attributes failed_phase: "collecting", error: missing.join("; ").truncate(5_000), advice: "What could be collected is in the zip. The timeline says what is missing."
      end
    end
end
