class Command::DeliverJob < ApplicationJob
  def perform(command)
    command.deliver
  end
end
