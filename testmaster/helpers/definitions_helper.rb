module DefinitionsHelper
  USUAL = %w[ c1 ] # values of folded fields that need no attention
  CONDITIONS = {
    thresholds: Threshold.examples,
    abort_when: AbortCondition.examples
  }

  def finding_state(finding)
    shape,
      word = { "ok" => [ "finished", "Well" ], "warning" => [ "warning", "Warning" ],
        "failed" => [ "failed", "Failed" ] }.fetch(finding.state)
    state_tag shape, word, bare: true
  end

  def condition_examples(name)
    CONDITIONS.fetch(name)
  end

  # Renders the form control of a word of the definition.
  def word_control(form, word, **attributes)
    case word
    when Definition::Words::Choice
      form.select word.attribute, word.choices.invert, {}, class: "input", **attributes
    when Definition::Words::Switch
      tag.label safe_join([ form.check_box(word.attribute, **attributes), " On" ]), class: "check"
    when Definition::Words::Phases
      form.text_area word.attribute, value: Definition::LoadPlan.text_of(form.object.load_phases),
        class: "input input--code", spellcheck: false, rows: [ form.object.load_phases.size, 2 ].max, **attributes
    when Definition::Words::Seconds
      typed = typed_duration(form.object, word.attribute)
      follows = word.name == "duration" && form.object.phases? && form.object.errors[:duration].none?
      form.text_field word.attribute, value: (typed unless follows), placeholder: (typed if follows),
        class: "input end", data: { definition_target: word.name }, **attributes
    else form.text_field word.attribute, class: "input", **attributes
    end
  end

  # Clients with only one operation form a group of their own; an unknown scenario stays in the list.
  def scenario_options(role, group)
    single,
      whole = (Scenario.of(role).map(&:name) | [ group.scenario ].compact).partition do |name|
        name.start_with?("Only#")
      end
    choices = options_for_select(whole, group.scenario)
    single.any? ? safe_join([ choices, grouped_options_for_select({ "One operation" => single }, group.scenario) ]) :
      choices
  end

  # Returns the owners of settings: the systems of broker groups, the scenarios of client groups.
  def choices_of_role(role)
    role == "broker" ? System.all : Scenario.of(role)
  end

  def choice_of(group)
    group.role == "broker" ? group.system&.name : group.scenario
  end

  # Returns each setting once: { setting => names of its owners }.
  def settings_of_role(role)
    choices_of_role(role).each_with_object({}) do |choice, found|
      settings = choice.is_a?(System) ? choice.settings_of(role, Definition::BrokerGroup::SCENARIO) : choice.settings
      settings.each { |setting| (found[setting.name] ||= [ setting, [] ]).last << choice.name }
    end.values
  end

  # Returns whether the programs of the group are ours.
  def ours?(group)
    group.role == "client" || !!group.system&.default?
  end

  def heap?(group)
    choice_of(group).in?(choices_with_heap(group.role))
  end

  def choices_of_ours(role)
    role == "broker" ? [ System.default.name ] : choices_of_role(role).map(&:name)
  end

  def choices_with_heap(role)
    choices_of_role(role).reject { |choice| choice.try(:jvm?) == false }.map(&:name)
  end

  # The result covers all systems, as the form can switch between them.
  def keys_of_further_settings(role)
    others = System.all.reject(&:default?).map { |system| system.template_of(role) } if role == "broker"
    [ "Keys as in #{System.default.template_of(role)}, without “#{role}.”", *others ]
      .to_sentence(two_words_connector: " or ", last_word_connector: " or ")
  end

  # Returns whether a folded field of the group has a value or an error.
  def rare_settings_in_use?(group)
    group.profile || group.try(:load_phases).present? || group.further_settings_text.present? ||
      further_settings_error(group).present? || group.errors[:load_phases].any? ||
      settings_of_role(group.role).any? { |setting, _| setting.rare? && group.settings[setting.name].present? }
  end

  def further_settings_error(group)
    group.errors.where(:settings).reject { |error| error.options[:setting] }.first&.message
  end

  def further_database_settings_error(test_run)
    test_run.errors.where(:database_settings)
      .reject { |error| error.options[:setting].in?(Scenario.database_settings.map(&:name)) }.first&.message
  end

  # Returns whether the description, the tags or the revision have a value or an error.
  def basics_in_use?(test_run)
    test_run.description.present? || test_run.tags.any? || test_run.revision != "HEAD" ||
      test_run.errors.include?(:description) || test_run.errors.include?(:tag_list)
  end

  # Returns whether a folded field of the run has a value other than its default, or an error.
  def rare_words_in_use?(test_run, words)
    words.any? do |word|
      test_run.errors[word.attribute].any? || [ *USUAL, word.default ].exclude?(test_run.public_send(word.attribute))
    end
  end

  # Returns the runs that come first if the provider performs one at a time.
  def runs_ahead
    TestRun.at_work.order(:launched_at).limit(4)
  end

  # Returns the validation errors of a run, each with the id of its field: [ [ id, text ], … ].
  def mistakes_in(test_run)
    own = test_run.errors.reject do |error|
      error.attribute.to_s.include?(".") || error.attribute.in?(%i[ broker_groups client_groups ]) &&
        error.type == :invalid
    end
      .map { |error| [ id_of_field(error), error.full_message ] }
    own + mistakes_in_groups("broker", test_run.broker_groups) + mistakes_in_groups("client", test_run.client_groups)
  end

  private
    def id_of_field(error)
      case attribute = error.attribute
      when :base              then nil
      when :thresholds, :abort_when, :broker_groups, :client_groups then "#{attribute}_error"
      when :database          then "test_run_database_url"
      when :database_settings then id_of_database_setting(error.options[:setting])
      else "test_run_#{attribute}"
      end
    end

    def id_of_database_setting(name)
      Scenario.database_settings.any? { |setting| setting.name == name } ?
        "test_run_database_fields_#{name}" : "test_run_further_database_settings_text"
    end

    def mistakes_in_groups(role, groups)
      groups.each_with_index.flat_map do |group, n|
        group.errors.map do |error|
          [ id_in_group(role, n, error),
            "#{group.name.presence || "#{role.capitalize} group #{n + 1}"}: " \
              "#{error.full_message.sub("Settings ", "")}" ]
        end
      end
    end

    def id_in_group(role, n, error)
      name = error.options[:setting]
      field = name ? "scenario_settings_#{name.tr(".", "_")}" : error.attribute == :settings ?
        "further_settings_text" : error.attribute
      "test_run_#{role}_groups_attributes_#{n}_#{field}"
    end
end
