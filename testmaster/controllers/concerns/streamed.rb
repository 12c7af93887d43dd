# Files that are sent piece by piece. Rails gives such answers none of its default headers.
module Streamed
  extend ActiveSupport::Concern

  included do
    include ActiveStorage::Streaming
    before_action { response.headers.reverse_merge! ActionDispatch::Response.default_headers }
  end
end
