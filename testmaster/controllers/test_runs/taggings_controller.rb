# Adds a tag to several runs.
class TestRuns::TaggingsController < ApplicationController
  include Ticked

  def create
    tag = (params[:tag] || params[:tag_to_add]).to_s.squish
    return answer_ticked([], nil, [ "Write the tag to add" ]) if tag.blank?

    tagged, refused = ticked_runs.partition { |run| run.add_tag tag }
    answer_ticked tagged, "#{helpers.pluralize tagged.size, "run"} tagged #{tag}.",
      refused.map { |run| "Run #{run.id}: #{run.errors.full_messages.to_sentence}" }.presence ||
        (tagged.empty? ? [ "No run is chosen" ] : [])
  end
end
