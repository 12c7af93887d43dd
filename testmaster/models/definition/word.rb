# A word of a definition: what YAML, JSON, form, factors and the column of a run know of it.
class Definition::Word
  attr_reader :name, :attribute, :default, :parameters, :section, :label, :hint

  # attribute: how the object calls it; parameters: names and shapes of what a form sends for it; section: of the form,
  # where all that it needs there is a field; varies: whether a factor may vary it; scales: whether a scaled run has
  # more or less of it; weighs: whether it changes the time or the price of a run, or whether it may be launched;
  # disk: whether it changes how much is recorded
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

  # What it must be, in words that follow "must be", where it has another shape
  def complaint_about_shape(value)
    "one value" if value.is_a?(Enumerable)
  end

  # What is wrong with its value, in words that follow the label; nil where nothing is
  def complaint(value)
  end

  # As people read it; nil where nothing needs to be told
  def told(value)
    value.presence
  end

  # As the column has it, and back
  def kept(value)
    value
  end

  def found(kept)
    kept
  end
end
