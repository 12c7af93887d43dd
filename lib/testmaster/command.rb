require "optparse"

module Testmaster
  # An entry in the table of commands: what it is called, what it is given, and which method does it.
  # arguments: their names; where the last one ends in "…", there may be more of it.
  Command = Struct.new(:name, :arguments, :options, :help, :action, keyword_init: true) do
    # "show ID [--json]"
    def usage
      [ name, *arguments, *options.map { |option| "[#{option.usage}]#{"…" if option.many}" } ].join(" ")
    end

    # Takes its options out of the words and returns them: { out: "logs.zip" }
    def parse!(words)
      options.select(&:many).to_h { |option| [ option.key, [] ] }.tap do |given|
        OptionParser.new do |parser|
          options.each { |option| option.add_to parser, given }
          parser.on("-h", "--help") { given[:help] = true }
        end.permute!(words)
      end
    end

    # What is wrong with these arguments
    def complaint(given)
      case
      when given.size < arguments.size           then "#{name} needs #{arguments.drop(given.size).join(" ")}"
      when !rest? && given.size > arguments.size then "#{name} does not take #{given.drop(arguments.size).join(" ")}"
      end
    end

    # In a list of all
    def line
      format "  %-24s %s", [ name, *arguments ].join(" "), help
    end

    # Lines for people
    def manual
      [ "usage: bin/testmaster #{usage}", "", "  #{help}", "", *options.map(&:line) ]
    end

    private
      def rest?
        arguments.last.to_s.end_with?("…")
      end
  end

  # words: as optparse takes them; many: may be given several times
  Command::Option = Struct.new(:key, :words, :help, :many, keyword_init: true) do
    # "-o, --out PATH"
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
