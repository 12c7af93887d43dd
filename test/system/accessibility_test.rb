require "application_system_test_case"
require "support/gallery"

class AccessibilityTest < ApplicationSystemTestCase
  include AccessibilityHelper

  self.fixture_table_names = ActiveSupport::TestCase.fixture_table_names

  test "no page has accessibility faults, light or dark" do
    visit new_session_path
    found = accessibility_faults("sign in")
    execute_script "document.querySelector('main').append(new Image())"
    assert_match(/critical image-alt/, accessibility_faults("a page with a fault").join)
    sign_in "administrator"

    Gallery.new.pages.each do |name, path|
      visit path
      assert_selector "h1"
      assert_settled
      found.concat accessibility_faults(name)
    end
    assert_empty found, found.join("\n")
  end

  test "on a phone no page scrolls sideways" do
    sign_in "administrator"
    page.current_window.resize_to 390, 844
    wide = Gallery.new.pages.filter_map do |name, path|
      visit path
      assert_selector "h1"
      width = evaluate_script("document.documentElement.scrollWidth")
      "#{name}: #{width} px" if width > 390
    end
    assert_empty wide, wide.join("\n")
  end
end
