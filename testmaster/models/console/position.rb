# The position of a message in the dequeue order, which finds it by an index: "12-0-5-4711", with a leading l if it is
# leased.
Console::Position = Struct.new(:queue_id, :receiver_id, :prio, :id, :leased, keyword_init: true) do
  def self.parse(text)
    if (parts = text.to_s.match(/\A(l?)(\d{1,9})-(\d{1,9})-(\d{1,2})-(\d{1,18})\z/))
      new queue_id: parts[2].to_i, receiver_id: parts[3].to_i, prio: parts[4].to_i, id: parts[5].to_i,
        leased: parts[1] == "l"
    end
  end

  def self.of(row, leased: false)
    new(**row.slice("queue_id", "receiver_id", "prio", "id").symbolize_keys, leased: leased.present?)
  end

  def to_param
    "#{"l" if leased}#{queue_id}-#{receiver_id}-#{prio}-#{id}"
  end
end
