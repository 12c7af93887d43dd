require "test_helper"

class SbomTest < ActiveSupport::TestCase
  test "lists jars, gems and scripts with their versions" do
    said, status = Open3.capture2 Rails.root.join("bin/sbom").to_s
    assert_predicate status, :success?
    bom = JSON.parse(said)
    components = bom.fetch("components")
    purls = components.pluck("purl")

    assert_equal [ "CycloneDX", "1.5" ], bom.values_at("bomFormat", "specVersion")
    assert_equal purls.uniq.sort, purls
    assert_includes purls, "pkg:gem/rails@#{Rails.version}"
    assert_includes purls, "pkg:npm/uplot@1.6.32"
    jars = components.select { |one| one["purl"].start_with?("pkg:maven/") }
    assert_empty %w[ HikariCP postgresql picocli snakeyaml ] - jars.pluck("name")
    jars.each do |jar|
      assert_match(/\A\d+(\.\w+)+\z/, jar["version"], jar["name"])
      assert_match(/\A\h{64}\z/, jar.dig("hashes", 0, "content"))
      package = jar["properties"].find { |one| one["name"] == "mlmq:debian-package" }.fetch("value")
      assert system("dpkg", "-s", package, out: File::NULL), package
    end
    assert_empty purls.grep(/junit|assertj/)
  end
end
