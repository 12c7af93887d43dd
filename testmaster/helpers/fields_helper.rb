module FieldsHelper
  # Renders label, control, then hint or error. The block renders the control with the attributes that link the three.
  def field(form, name, label, hint: nil, optional: false, error: form.object&.errors&.[](name)&.first,
    id: form.field_id(name), **options, &block)
    note = error || hint
    attributes = { id: id, aria: { invalid: (true if error), describedby: ("#{id}_note" if note) }.compact }
    control = capture(attributes, &block)

    tag.div class: class_names("field", options.delete(:class)), **options do
      safe_join [ label_for_field(id, label, optional), control,
        (tag.p(note.upcase_first, class: error ? "error" : "hint", id: "#{id}_note") if note) ].compact
    end
  end

  def affix(unit_name, &block)
    tag.div class: "affix" do
      safe_join [ capture(&block), unit(unit_name) ]
    end
  end

  # Renders a number field with a button on each side.
  def stepper(label, field_tag)
    tag.div class: "stepper", data: { controller: "stepper" } do
      safe_join [
        tag.button(icon(:fewer), type: "button", aria: { label: "Fewer: #{label}" }, data: { action: "stepper#fewer" }),
        field_tag,
        tag.button(icon(:add), type: "button", aria: { label: "More: #{label}" }, data: { action: "stepper#more" })
      ]
    end
  end

  # Renders a list, a number with its unit, or a line of text, as the setting requires.
  def control_of(setting, name, value, **attributes)
    attributes = { placeholder: setting.placeholder, inputmode: ("numeric" if setting.number?), **attributes }

    case
    when setting.choices then select_tag(name, options_for_select(setting.options, value), class: "input",
      **attributes.except(:placeholder, :inputmode))
    when setting.unit    then affix(setting.unit) { text_field_tag name, value, class: "end", **attributes }
    else text_field_tag(name, value, class: class_names("input", end: setting.number?), **attributes)
    end
  end

  # Returns the typed text if it is invalid; otherwise the formatted length of time.
  def typed_duration(record, name)
    record.public_send(name)&.then { |seconds| Duration.format(seconds) } ||
      record.public_send("#{name}_before_type_cast")
  end

  # Returns the same for a time of the load.
  def typed_moment(record, name)
    record.public_send(name)&.then { |second| clock second } || record.public_send("#{name}_before_type_cast")
  end

  private
    def label_for_field(id, label, optional)
      tag.label safe_join([ label, (tag.span("optional", class: "optional") if optional) ].compact, " "), for: id
    end
end
