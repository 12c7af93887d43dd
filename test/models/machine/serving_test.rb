require "test_helper"
require "open3"

# lib/machine/serve.sh, as far as it can be asked without a server
class Machine::ServingTest < ActiveSupport::TestCase
  ASK_READER = Rails.root.join("lib/machine/serve.sh").read[/^ask_reader\(\) \{.*?^\}/m]
  FORGET_READER = Rails.root.join("lib/machine/serve.sh").read[/^forget_reader\(\) \{.*?^\}/m]

  # The rest of the first answer comes after its time is up, of the second at once.
  test "an answer that comes in two pieces is one, and is not taken for the next" do
    Dir.mktmpdir do |folder|
      output, status = Open3.capture2e("bash", "-u", stdin_data: <<~SH, chdir: folder)
        mkdir logs; mkfifo gate; reader='' reply='' asked='' heard=''
        launch_reader() {
          read -r; printf 10; read -r <gate; printf '0 8 25\\n'
          while read -r; do printf '200 9 27\\n'; done
        }
        #{FORGET_READER}
        #{ASK_READER}
        ask_reader figures && echo "too early: $reply"
        echo go >gate
        ask_reader figures && echo "first: $reply"
        ask_reader figures && echo "second: $reply"
        forget_reader
      SH
      assert_equal [ "first: 100 8 25", "second: 200 9 27" ], output.lines(chomp: true), status.inspect
    end
  end
end
