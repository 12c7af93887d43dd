# Sends files piece by piece, to readers of any speed.
module Streamed
  private
    def send_blob(blob)
      return report_lost(blob) unless blob.service.exist?(blob.key)
      return refuse_download if request.env["rack.hijack?"] && (@objection = Download.objection(Current.user))

      send_file_headers! type: blob.content_type_for_serving, filename: blob.filename.sanitized,
        disposition: blob.forced_disposition_for_serving || :attachment
      headers["Content-Length"] = blob.byte_size.to_s
      self.response_body = [] # the body is sent by other means, or not at all
      hand_over blob, Current.user unless request.head?
    end

    def report_lost(blob)
      render status: :gone, plain: "#{blob.filename} is no longer in storage. Restore it from a backup " \
        "(docs/reference/operations.md); the figures and the page of the run are kept without it.\n"
    end

    # If the server does not hand over connections, as in tests without one, the controller sends the file itself.
    def hand_over(blob, user)
      if request.env["rack.hijack?"]
        headers.merge! "Connection" => "close", "rack.hijack" => ->(socket) { Download.begin blob, socket, user }
      else
        self.response_body = Enumerator.new { |pieces| blob.download { |piece| pieces << piece } }
      end
    end

    def refuse_download
      headers["Retry-After"] = "30"
      render plain: @objection, status: :service_unavailable
    end
end
