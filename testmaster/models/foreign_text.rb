# Text that somebody else has written, such as a machine, fit to be kept in our database and to be shown on a page or in
# a terminal: valid, without characters that nobody sees, and no longer than it may be.
module ForeignText
  LONGEST = 10_000 # characters
  UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

  def self.fit(text, longest = LONGEST)
    text.to_s.byteslice(0, 4 * longest).force_encoding(Encoding::UTF_8).scrub.gsub("\r\n", "\n").gsub(UNSEEN, "\ufffd")
      .truncate(longest)
  end
end
