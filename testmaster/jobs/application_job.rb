class ApplicationJob < ActiveJob::Base
  discard_on ActiveJob::DeserializationError
  self.enqueue_after_transaction_commit = :always
end
