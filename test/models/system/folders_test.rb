require "test_helper"

# Central lists of systems must match their folders.
class System::FoldersTest < ActiveSupport::TestCase
  DRIVERS = Rails.root.glob("systems/*/driver").map { |path| path.relative_path_from(Rails.root).to_s }

  test "each driver is a module of Maven" do
    modules = Nokogiri::XML(Rails.root.join("pom.xml").read).remove_namespaces!.css("modules > module").map(&:text)
    assert_equal DRIVERS.sort, modules.grep(%r{\Asystems/\w+/driver\z}).sort
  end

  test "each system has its words, class and script" do
    Rails.root.glob("systems/*/system.yml").each do |file|
      name = file.dirname.basename.to_s
      assert_equal "System::#{name.camelize}", System[name].class.name
      assert_predicate file.dirname.join("serve.sh"), :exist?
    end
  end
end
