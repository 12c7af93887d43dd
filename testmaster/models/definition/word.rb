# A word of a definition: how YAML, JSON, form, factors and the column of a run treat it.
class Definition::Word
  attr_reader :name, :attribute, :default, :parameters, :section, :label, :hint

  # attribute: name of the attribute; parameters: names and shapes that a form sends for it; section: the part of the
  # form whose fields cover the whole word; varies: whether a factor may vary it; scales: whether a scaled run has more
  # or less of it; weighs: whether it changes the time or price of a run, or whether it may be launched; disk: whether
  # it changes how much is recorded.
  def initialize(name, attribute: name, default: nil, parameters: [ attribute.to_sym ], section: nil,
    label: name.humanize, hint: nil, varies: false, scales: false, weighs: true, disk: false)
    @name, @attribute, @default, @parameters = name, attribute, default, parameters
    @section, @label, @hint = section, label, hint
    @varies, @scales, @weighs, @disk = varies, scales, weighs, disk
  end

  def varies? = @varies
  def scales? = @scales
  def weighs? = @weighs
  def disk?   = @disk

  # Returns the required shape, worded to follow "must be", if the value has another shape.
  def complaint_about_shape(value)
    "one value" if value.is_a?(Enumerable)
  end

  # Returns the validation error of the value, worded to follow the label, or nil.
  def complaint(value)
  end

  # Returns the value as people read it; nil if it need not be shown.
  def told(value)
    value.presence
  end

  # Converts a value for the column; found converts it back.
  def kept(value)
    value
  end

  def found(kept)
    kept
  end
end
