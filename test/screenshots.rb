# Only bin/screenshots runs this file; its name hides it from bin/test.
require "application_system_test_case"
require "support/gallery"

class Screenshots < ApplicationSystemTestCase
  include AccessibilityHelper

  WIDTHS = { "wide" => 1280, "narrow" => 400 }

  self.fixture_table_names = ActiveSupport::TestCase.fixture_table_names

  test "takes pictures of each page in each state" do
    folder = Pathname(ENV.fetch("SCREENSHOTS"))
    visit new_session_path
    picture folder, "sign in" if "sign in".include? ENV.fetch("PAGES", "")
    sign_in "administrator"

    Gallery.new.pages.select { |name, _| name.include? ENV.fetch("PAGES", "") }.each do |name, path|
      visit path
      assert_selector "h1"
      assert_settled
      picture folder, name
    end
  end

  private
    def picture(folder, name)
      WIDTHS.each do |width, pixels|
        page.current_window.resize_to pixels, 900
        %w[ light dark ].each do |scheme|
          prefer scheme
          page.save_screenshot folder.join("#{name.parameterize}-#{width}-#{scheme}.png"), full: true
        end
      end
    end
end
