require "test_helper"
require "minitest/mock"

class Machine::DeployableTest < ActiveSupport::TestCase
  test "carries a large file of several JVMs once" do
    machine, content = machines(:running_local), Random.bytes(2.megabytes)
    machine.jvms.find(&:client?).group.settings = { "message.content" => "file:contents/orders.bin" }
    Dir.mktmpdir do |folder|
      File.binwrite "#{folder}/orders.bin", content
      tar = Contents.stub(:folder, Pathname(folder)) { machine.files_of_jvms }
      2.times { machine.shell.execute! "tar -xf - -C #{folder}", input: tar.tap(&:rewind) }

      assert_operator tar.size, :<, 1.5 * content.size
      clients = machine.jvms.select(&:client?).map(&:name)
      assert_equal %w[ client_0 client_1 ], clients
      clients.each { |name| assert content == File.binread("#{folder}/#{name}/contents/orders.bin"), name }
    end
  end
end
