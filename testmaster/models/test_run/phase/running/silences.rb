# A JVM that is running but silent makes a gap in the figures of the whole run. The timeline names it once when it falls
# silent and once when it reports again.
module TestRun::Phase::Running::Silences
  # jvms are those that were observed now.
  def note_silences(jvms)
    jvms.reject(&:over?).each { |jvm| jvm.fresh? ? note_speech(jvm) : note_silence(jvm) }
  end

  private
    def note_silence(jvm)
      silences[jvm.id] ||= begin
        seconds = (Time.current - jvm.updated_at).round
        if told?(jvm)
          record_event :silent, "#{jvm.name} runs but has reported nothing for #{seconds} s. " \
            "No figures are kept until it reports again", jvm: jvm
        end
        jvm.updated_at
      end
    end

    def note_speech(jvm)
      since = silences.delete(jvm.id) or return
      if told?(jvm)
        record_event :heard, "#{jvm.name} reports again after #{(jvm.updated_at - since).round} s", jvm: jvm
      end
    end

    # The number is limited, as a JVM that often falls silent would fill the timeline.
    def told?(jvm)
      (@told ||= Hash.new(0))[jvm.id] += 1
      @told[jvm.id] <= 2 * Machine::Limits::SILENCES_TOLD
    end

    def silences
      @silences ||= {}
    end
end
