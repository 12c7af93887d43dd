class BrokerGroup < ApplicationRecord
  include Group

  validate do
    unless system
      errors.add :system, "must be #{System.all.to_sentence(two_words_connector: " or ", last_word_connector: " or ")}"
    end
  end

  # What is under test; nil where there is no such system
  def system
    System[self[:system]]
  end

  def role
    "broker"
  end

  # JVMs on all machines
  def total
    machine_count.to_i * jvm_count.to_i
  end

  def to_definition
    system&.default? ? super : { "system" => self[:system], **super }
  end

  def summary
    scenario == "Broker" ? ActionController::Base.helpers.pluralize(total, "broker") : "#{total} #{scenario}"
  end
end
