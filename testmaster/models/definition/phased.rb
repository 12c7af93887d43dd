# The phases of the load: one word, for all groups of clients or in one of them. The length of the load follows from it.
module Definition::Phased
  extend ActiveSupport::Concern

  included do
    before_validation :follow_phases
    validate :phases_can_be_followed, if: :phases?
  end

  # Returns the phases of the load, wherever they are written.
  def load_plan
    Definition::LoadPlan.new([ load_phases, *client_groups.map(&:load_phases) ].find(&:any?) || [])
  end

  def phases?
    [ self, *client_groups ].any? { |it| it.load_phases.any? }
  end

  # Returns whether the phases concern a group of clients.
  def phases_of?(group)
    load_phases.any? || group.load_phases.any?
  end

  # Returns the settings of a group's clients that make them follow the phases.
  def phases_in_settings_of(group)
    return {} unless phases?

    rates = rates_of_phases?(group)
    { "client.load" => load_plan.to_setting(with_rates: rates, takes: phases_of?(group) && group.takes?),
      **({ "client.rate" => load_plan.first_rate } if rates && !group.open_load?).to_h }
  end

  # Returns whether phases change the rate of a group: of its own, or for all groups that have one.
  def rates_of_phases?(group)
    load_plan.rates? && (group.load_phases.any? || load_phases.any? && group.open_load?)
  end

  private
    def follow_phases
      self.duration = seconds_of_phases if duration.nil? && phases? && attribute_before_type_cast("duration").blank?
    end

    def seconds_of_phases
      warmup.to_i + load_plan.seconds + cooldown.to_i
    end

    # Mistakes in a phase itself are found before.
    def phases_can_be_followed
      owner = [ self, *client_groups ].find { |it| it.load_phases.any? }
      return if load_plan.complaint

      complaint = complaint_about_places || complaint_about_steps || complaint_about_rates(owner) ||
        complaint_about_takers(owner)
      if complaint
        owner.errors.add :load_phases, complaint
        errors.add "client_groups.load_phases", complaint unless owner == self
      elsif duration && warmup && cooldown && duration != seconds_of_phases
        errors.add :duration, "must be #{Duration.format(seconds_of_phases)}, the sum of the phases with warm-up and " \
          "cool-down: leave it out, or change the phases"
      end
    end

    def complaint_about_places
      places = [ *("for all groups" if load_phases.any?),
        *client_groups.select { |it| it.load_phases.any? }.map { |it| "in #{it.key}" } ]
      "may stand in one place, not #{places.to_sentence}: write it once" if places.many?
    end

    def complaint_about_steps
      group = client_groups.find { |it| it.settings["steps"].present? }
      "cannot be combined with steps of #{group.key}: leave one of them out" if group
    end

    def complaint_about_rates(owner)
      groups = owner == self ? client_groups : [ owner ]
      varied = groups.find { |group| group.settings["rate"].to_s.match?(/ to |,/) }
      case
      when !load_plan.rates? then nil
      when varied
        "has rates, and so has the rate of #{varied.key}: write one rate there, that of the warm-up"
      when groups.none?(&:open_load?) && owner == self
        "has rates, but no group of clients has one: give the setting rate to those whose rate changes, or write " \
          "load in their group"
      when groups.none?(&:open_load?) && load_plan.first_rate.nil?
        "has no rate above 0: give #{owner.key} the setting rate"
      when groups.none?(&:open_load?) && !load_plan.rate_first?
        "has rates, but none in its first phase: write one there, or give #{owner.key} the setting rate"
      end
    end

    def complaint_about_takers(owner)
      groups, who = owner == self ? [ client_groups, "no group of clients takes" ] :
        [ [ owner ], "clients of #{owner.scenario} do not take" ]
      "pauses takers, but #{who} messages: leave takers out, or write load for all groups with one that does" if
        load_plan.pauses? && groups.none?(&:takes?)
    end
end
