require "test_helper"

# Checks by the constants in their code that a room of the models names no room above it. The parts of a run name no
# run.
class RoomsTest < ActiveSupport::TestCase
  MODELS = Rails.root.join("testmaster/models")
  # { rooms => constants that they must not name }; a provider may ask which of its runs are active
  FORBIDDEN = {
    %w[ address build database_server machine system figure condition threshold abort_condition catalogue scenario
      response_times measurement ] => /\b(?:TestRun|Experiment|Comparison|Prediction|Profile)\b/,
    %w[ definition ] => /\b(?:TestRun|Experiment|Comparison|Prediction|Profile|Outcome|Machine|Jvm)\b/,
    %w[ provider ] => /\b(?:TestRun::\w|Experiment|Comparison|Prediction|Profile\b)/
  }

  FORBIDDEN.each do |rooms, constants|
    rooms.each do |room|
      test "the room #{room} names none above it" do
        files = MODELS.glob("{,*/}{#{room}.rb,#{room}/**/*.rb}")
        files += Rails.root.glob("systems/*/system/*.rb") if room == "system"
        assert_predicate files, :any?

        assert_empty files.flat_map { |file|
          code_of(file).grep(constants).map { |line| "#{file.relative_path_from(Rails.root)}: #{line.strip}" }
        }
      end
    end
  end

  private
    # @return the lines without comments and with empty strings
    def code_of(file)
      file.readlines.map { |line| line.sub(/(?:^| )#.*/, "").gsub(/"(?:\\.|[^"\\])*"/, '""') }
    end
end
