# A definition in examples/, ready to be launched or changed.
class Example
  FOLDER = Rails.root.join("examples")

  attr_reader :name

  class << self
    def all
      FOLDER.glob("*.yml").map { |file| new(file.basename(".yml").to_s) }.select(&:test_run?).sort_by(&:name)
    end

    def find(name)
      all.detect { |example| example.name == name } ||
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

  # Definitions of whole experiments lie in the same folder.
  def test_run?
    !definition.key?("factors")
  end
end
