# A definition in examples/, ready to be launched or changed.
class Example
  FOLDER = Rails.root.join("examples")
  FIRST = "first_look"

  attr_reader :name

  class << self
    def all
      everything.select(&:test_run?)
    end

    def experiments
      everything.reject(&:test_run?)
    end

    def everything
      FOLDER.glob("*.yml").map { |file| new(file.basename(".yml").to_s) }
        .sort_by { |example| [ example.name == FIRST ? 0 : 1, example.name ] }
    end

    def find(name)
      everything.detect { |example| example.name == name } ||
        raise(ActiveRecord::RecordNotFound.new("There is no example #{name}", "Example", :name, name))
    end
  end

  def initialize(name)
    @name = name
  end

  def definition
    @definition ||= YAML.safe_load(FOLDER.join("#{name}.yml").read)
  end

  def title
    definition["name"] || name.humanize
  end

  def description
    definition["description"]
  end

  def test_run
    TestRun.from_definition(definition)
  end

  # Returns the layout to draw, without asking for its provider.
  def layout
    Definition.read(definition.except("provider"))
  end

  def one_machine?
    definition.fetch("provider", Provider::Local.kind) == Provider::Local.kind
  end

  def experiment
    Experiment.from_definition(definition)
  end

  # The same folder contains definitions of whole experiments.
  def test_run?
    !definition.key?("experiment")
  end
end
