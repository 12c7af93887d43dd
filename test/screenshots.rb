# Only bin/screenshots runs this file; its name hides it from bin/test.
require "application_system_test_case"
require "support/gallery"
require "minitest/mock"

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

  test "takes the pictures of the guide" do
    folder = Pathname(ENV.fetch("SCREENSHOTS"))
    Worker.stub :running?, true do
      sign_in "administrator"
      pages = Gallery.new.pages
      prefer "light"
      Gallery::GUIDE.each do |picture, (name, part)|
        # The browser paints only what is in its window.
        page.current_window.resize_to 1280, part ? 1_800 : 900
        make_fresh TestRun.find(pages.fetch(name)[/\d+/]) if name == "run, running"
        visit pages.fetch(name)
        assert_selector "h1"
        assert_settled
        page.save_screenshot folder.join("#{picture}.png"), **{ selector: part }.compact
      end
    end
  end

  private
    # Moves the load of a run to the present, as the gallery was made a while ago.
    def make_fresh(run)
      age = Time.current - run.samples.maximum(:at)
      run.samples.update_all [ "at = at + make_interval(secs => ?)", age ]
      run.update_columns load_starts_at: run.load_starts_at + age, launched_at: run.launched_at + age
      run.events.update_all [ "created_at = created_at + make_interval(secs => ?)", age ]
    end

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
