module Testmaster
  # Implements the command machines of bin/testmaster.
  module Machines
    def machines
      return sweep if @options[:sweep]
      return forget(@options[:forget]) if @options[:forget]
      return normals if @options[:normals]

      found = api.get("/machines.json")
      show_json(found) || Report.machines(found).each { |line| say line }
      0
    end

    private
      # A provider that did not respond may have machines that cost money, so this is an error.
      def sweep
        swept = api.post("/machines/sweep.json")
        show_json(swept) || Report.sweep(swept).each { |line| say line }
        swept["complaints"].empty? ? 0 : 1
      end

      def normals
        found = api.get("/machines/normals.json")
        show_json(found) || Report.normals(found).each { |line| say line }
        0
      end

      def forget(machine)
        found = api.get("/machines/normals.json")
          .select { |it| [ it["site"], "#{it["provider"]}/#{it["site"]}" ].include?(machine) }
        refuse_to_forget machine, found unless found.one?

        query = URI.encode_www_form(found.first.slice("provider_id", "site"))
        forgotten = api.delete("/machines/normal.json?#{query}")
        show_json(forgotten) || say("forgot the normal of #{forgotten["site"]} of #{forgotten["provider"]}")
        0
      end

      def refuse_to_forget(machine, found)
        raise CommandLine::UsageError, found.any? ? "#{machine} is of several providers: write PROVIDER/#{machine}" :
          "#{machine} has no normal: machines --normals lists all of them"
      end
  end
end
