# A definition in examples/, ready to be launched or changed.
class Example
  FOLDER = Rails.root.join("examples")

  attr_reader :name

  class << self
    def all
      everything.select(&:test_run?)
    end

    def experiments
      everything.reject(&:test_run?)
    end

    def everything
      FOLDER.glob("*.yml").map { |file| new(file.basename(".yml").to_s) }.sort_by(&:name)
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

  def experiment
    Experiment.from_definition(definition)
  end

  # The same folder contains definitions of whole experiments.
  def test_run?
    !definition.key?("experiment")
  end
end
