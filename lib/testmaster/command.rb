require "optparse"

module Testmaster
  # An entry in the table of commands: its name, its arguments, its options and its method. arguments are names; a last
  # one that ends in "…" may be repeated.
  Command = Struct.new(:name, :arguments, :options, :help, :action, keyword_init: true) do
    # Returns a text such as "show ID [--json]".
    def usage
      [ name, *arguments, *options.map { |option| "[#{option.usage}]#{"…" if option.many}" } ].join(" ")
    end

    # Removes its options from the words and returns them: { out: "logs.zip" }.
    def parse!(words)
      options.select(&:many).to_h { |option| [ option.key, [] ] }.tap do |given|
        OptionParser.new do |parser|
          options.each { |option| option.add_to parser, given }
          parser.on("-h", "--help") { given[:help] = true }
        end.permute!(words)
      end
    end

    # Returns the error of these arguments, or nil.
    def complaint(given)
      case
      when given.size < arguments.size           then "#{name} needs #{arguments.drop(given.size).join(" ")}"
      when !rest? && given.size > arguments.size then "#{name} does not take #{given.drop(arguments.size).join(" ")}"
      end
    end

    # Returns its line in the list of all commands.
    def line
      format "  %-24s %s", [ name, *arguments ].join(" "), help
    end

    # Returns the lines of its help.
    def manual
      [ "usage: bin/testmaster #{usage}", "", "  #{help}", "", *options.map(&:line) ]
    end

    private
      def rest?
        arguments.last.to_s.end_with?("…")
      end
  end

  # words are those of optparse; many says whether the option may be repeated.
  Command::Option = Struct.new(:key, :words, :help, :many, keyword_init: true) do
    # Returns a text such as "-o, --out PATH".
    def usage
      words.join(", ")
    end

    def line
      format "  %-22s %s", usage, help
    end

    def add_to(parser, given)
      parser.on(*words) { |value| many ? given[key] << value : given[key] = value }
    end
  end
end
