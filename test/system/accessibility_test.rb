require "application_system_test_case"
require "support/gallery"

class AccessibilityTest < ApplicationSystemTestCase
  include AccessibilityHelper

  self.fixture_table_names = ActiveSupport::TestCase.fixture_table_names

  test "no page has accessibility faults, light or dark, or scrolls sideways on a phone" do
    visit new_session_path
    found = accessibility_faults("sign in")
    execute_script "document.querySelector('main').append(new Image())"
    assert_match(/critical image-alt/, accessibility_faults("a page with a fault").join)
    sign_in "administrator"

    Gallery.new.pages.each do |name, path|
      visit path
      assert_selector "h1"
      assert_settled
      found.concat accessibility_faults(name), too_wide_on_a_phone(name)
    end
    assert_empty found, found.join("\n")
  end

  private
    def too_wide_on_a_phone(name)
      before = page.current_window.size
      page.current_window.resize_to 390, 844
      width = evaluate_script("document.documentElement.scrollWidth")
      width > 390 ? [ "#{name}: #{width} px wide on a phone of 390 px" ] : []
    ensure
      page.current_window.resize_to(*before)
    end
end
