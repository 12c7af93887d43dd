class TellHowExactTheClockOfAMachineIsKnown < ActiveRecord::Migration[7.2]
  def change
    add_column :machines, :clock_error, :float # ms: half of the round trip that measured clock_offset
  end
end
