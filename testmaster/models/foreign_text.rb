# Cleans text from another source, such as a machine, so that it can be stored in the database and shown on a page or in
# a terminal: valid UTF-8, without invisible characters, and of limited length.
module ForeignText
  LONGEST = 10_000 # characters
  UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

  def self.fit(text, longest = LONGEST)
    text.to_s.byteslice(0, 4 * longest).force_encoding(Encoding::UTF_8).scrub.gsub("\r\n", "\n").gsub(UNSEEN, "\ufffd")
      .truncate(longest)
  end
end
