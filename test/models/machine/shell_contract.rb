# The behaviour of every shell, for any machine. Includers have a @shell and a @directory on its machine.
module MachineShellContract
  extend ActiveSupport::Concern

  included do
    test "separates output, errors and exit code" do
      result = @shell.execute("echo out; echo err >&2; exit 3")

      assert_equal [ "out\n", "err\n", 3 ], [ result.output, result.error, result.status ]
      assert_not_predicate result, :success?
    end

    test "a failed command raises its exit code and error" do
      error = assert_raises(Machine::CommandFailed) { @shell.execute! "echo too bad >&2; exit 4" }

      assert_match(/\Atoo bad \(exit code 4 of: /, error.message)
    end

    test "passes on the whole standard input" do
      assert_equal "1000000\n", @shell.execute!("wc -c | tr -d ' '", input: "x" * 1_000_000).output
    end

    test "a command may ignore its input" do
      assert_equal "done\n", @shell.execute!("exec <&-; echo done", input: "x" * 5_000_000).output
    end

    test "a command that takes too long is stopped" do
      error = assert_raises(Machine::CommandFailed) do
        @shell.execute! "echo $$ >#{@directory}/pid; exec sleep 60", timeout: 0.5
      end

      assert_match(/not done after 0.5 s/, error.message)
    end

    test "a started program outlives the session" do
      @shell.execute! "mkfifo #{@directory}/gate"
      @shell.start "sh -c 'echo begun; read word <gate; echo $word >&2; exit 7'", directory: @directory
      assert_equal "alive\n", @shell.execute!("kill -0 $(cat #{@directory}/pid) && echo alive").output

      @shell.close
      @shell.execute! "echo finished >#{@directory}/gate"
      assert_equal "7\n", await { @shell.execute("cat #{@directory}/exit_code").output.presence }
      assert_equal [ "begun\n", "finished\n" ],
        %w[ stdout stderr ].map { |name| @shell.execute!("cat #{@directory}/logs/#{name}.log").output }
    end

    test "a program is started only once" do
      3.times { @shell.start "sh -c 'echo run >>runs'", directory: @directory }
      await { @shell.execute("cat #{@directory}/exit_code").output.presence }
      @shell.start "sh -c 'echo run >>runs'", directory: @directory

      assert_equal "run\n", @shell.execute!("cat #{@directory}/runs").output
    end

    test "hides the environment from process lists" do
      word = SecureRandom.hex # parallel tests have other secrets on their command lines
      @shell.execute! "mkfifo #{@directory}/gate"
      @shell.start "sh -c 'echo $SECRET_WORD; read word <gate'", directory: @directory,
        environment: { "SECRET_WORD" => "open; #{word}'s \"$x\"" }

      assert_no_match(/#{word}/, @shell.execute!("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '; true").output)
      assert_equal "open; #{word}'s \"$x\"\n",
        await { @shell.execute("cat #{@directory}/logs/stdout.log").output.presence }
      @shell.execute! "echo >#{@directory}/gate"
    end

    test "transfers whole files, or from an offset on" do
      content = Random.bytes(300_000)
      @shell.upload StringIO.new(content), "#{@directory}/a file's name", mode: 0600
      @shell.upload StringIO.new(content), "#{@directory}/again"

      copy = StringIO.new("".b)
      @shell.download "#{@directory}/a file's name", copy
      assert_equal Digest::SHA256.hexdigest(content), Digest::SHA256.hexdigest(copy.string)

      rest = StringIO.new("".b)
      @shell.download "#{@directory}/again", rest, offset: 299_000
      assert_equal content.byteslice(299_000..), rest.string
      assert_empty @shell.execute!("find #{@directory} -name '*.part'").output
    end

    test "a file that cannot be read raises an error" do
      error = assert_raises(Machine::CommandFailed) { @shell.download "#{@directory}/no such file", +"" }

      assert_match(/no such file/i, error.message)
    end

    test "a failed upload raises an error and leaves nothing" do
      error = assert_raises(Machine::CommandFailed) { @shell.upload "x", "#{@directory}/no/such/folder" }

      assert_match(/no such file|cannot create/i, error.message)
    end

    test "an interrupted upload keeps the old file" do
      @shell.upload "old", "#{@directory}/file"
      cut_off = StringIO.new("new").tap { |io| io.define_singleton_method(:size) { 1000 } }

      assert_raises(Machine::CommandFailed) { @shell.upload cut_off, "#{@directory}/file" }
      assert_equal "file: old",
        @shell.execute!("cd #{@directory} && for file in *; do echo $file: $(cat $file); done").output.strip
    end

    test "concurrent uploads leave whole files" do
      contents = Array.new(4) { |n| n.to_s * 500_000 }
      [ *contents,
        contents.first ].map { |content| Thread.new { @shell.upload content, "#{@directory}/file_#{content.first}" } }
          .each(&:join)

      digests = @shell.execute!("cd #{@directory} && sha256sum file_*").output.lines.map { |line| line.split.first }
      assert_equal contents.map { |content| Digest::SHA256.hexdigest(content) }, digests
    end

    test "concurrent commands get their own output" do
      answers = Array.new(20) { |n| Thread.new { @shell.execute!("cat; echo #{n}", input: "#{n} ").output } }
        .map(&:value)

      assert_equal Array.new(20) { |n| "#{n} #{n}\n" }, answers
    end

    test "errors give advice where it is known" do
      assert_match "Install what is missing",
        assert_raises(Machine::CommandFailed) { @shell.execute! "no_such_program_anywhere" }.advice
      assert_match "free some space",
        assert_raises(Machine::CommandFailed) { @shell.execute! "seq 1000 >/dev/full" }.advice
    end

    test "output and errors are limited and valid text" do
      [ "", ">&2" ].each do |where|
        error = assert_raises(Machine::CommandFailed) { @shell.execute "yes #{where}" }
        assert_match "said more than the #{Machine::Limits::SAID} bytes", error.message
      end
      result = @shell.execute("printf '\\303\\251\\377'; printf '\\303\\251' >&2")
      assert_equal [ "é\ufffd", "é" ], [ result.text, result.error ]
    end

    test "is alive" do
      assert_predicate @shell, :alive?
    end
  end
end
