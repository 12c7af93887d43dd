# Adds a tag to several runs.
class TestRuns::TaggingsController < ApplicationController
  include Ticked

  def create
    tag = (params[:tag] || params[:tag_to_add]).to_s.squish
    return answer_ticked(nil, [ "Write the tag to add" ]) if tag.blank?

    refused = ticked_runs.reject { |run| run.add_tag tag }
    tagged = ticked_runs.size - refused.size
    answer_ticked ("#{helpers.pluralize tagged, "run"} tagged #{tag}." if tagged.positive?),
      refused.map { |run| "Run #{run.id}: #{run.errors.full_messages.to_sentence}" }.presence ||
        (tagged.zero? ? [ "No run is chosen" ] : [])
  end
end
