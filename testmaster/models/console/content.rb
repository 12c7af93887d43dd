# A part of a message's content as text or hex. Every byte is visible, and no content can disguise the page.
class Console::Content
  ROW = 8 # bytes of hex in a row
  HIDDEN = /[\u0080-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/

  attr_reader :from, :size

  # hex is the part that begins at byte from; size is the size of the whole content.
  def initialize(hex, from:, size:)
    @bytes, @from, @size = [ hex ].pack("H*"), from, size
  end

  def upto
    from + @bytes.bytesize
  end

  def whole?
    from.zero? && upto == size
  end

  # Returns control characters as their pictures, and bytes that are no UTF-8 as \xff. A letter may be cut at either
  # end.
  def text
    @bytes.dup.force_encoding(Encoding::UTF_8).scrub { |bad| bad.unpack("C*").map { |byte| format("\\x%02x", byte) }.join }
      .gsub(/[\x00-\x1f]/) { |char| [ 0x2400 + char.ord ].pack("U") + ("\n" if char == "\n").to_s }
      .gsub("\x7f", "\u2421").gsub(HIDDEN) { |char| format("\\u{%x}", char.ord) }
  end

  # Returns [ [ "0010", "6d 6c …", "ml…" ], … ].
  def rows
    @bytes.bytes.each_slice(ROW).with_index.map do |bytes, n|
      [ format("%04x", from + n * ROW), bytes.map { |byte| format("%02x", byte) }.join(" ").ljust(ROW * 3 - 1),
        bytes.map { |byte| byte.between?(32, 126) ? byte.chr : "·" }.join ]
    end
  end

  def hex
    rows.map { |row| row.join("  ") }.join("\n")
  end
end
