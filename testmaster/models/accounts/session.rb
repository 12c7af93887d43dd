class Session < ApplicationRecord
  LIFETIME = 30.days

  belongs_to :user

  scope :alive, -> { where created_at: LIFETIME.ago.., user_id: User.active.select(:id) }
  scope :reverse_chronologically, -> { order created_at: :desc, id: :desc }

  after_destroy_commit { user.disconnect }

  # The time is updated at most once a minute, as with tokens.
  def seen
    update_columns last_seen_at: Time.current unless last_seen_at&.after?(1.minute.ago)
  end

  # Returns a text such as "Firefox on Linux", as far as the user agent tells it.
  def browser
    name = { "Edg/" => "Edge", "OPR/" => "Opera", "Firefox/" => "Firefox", "Chrome/" => "Chrome",
      "Safari/" => "Safari" }.find { |mark, _| user_agent.to_s.include?(mark) }&.last
    system = %w[ Android iPhone iPad Windows Mac Linux ].find { |word| user_agent.to_s.include?(word) }
    [ name || "A browser", (system && "on #{system}") ].compact.join(" ")
  end
end
