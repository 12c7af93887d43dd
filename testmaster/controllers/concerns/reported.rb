# Sends the results of an experiment or a comparison as one HTML file.
module Reported
  private
    def send_report(subject)
      send_data render_to_string(:report, formats: :html, layout: false), type: "text/html",
        filename: "#{subject.model_name.singular}_#{subject.id}.html"
    end
end
