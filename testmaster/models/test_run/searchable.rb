# Finds runs in the list: by state, and by words in name, mix, tags, descriptions, settings ("rate:100",
# "rate:10*") and verdict ("verdict:accepted").
module TestRun::Searchable
  extend ActiveSupport::Concern

  # The SQL applies conditions to the groups of a run.
  IN_GROUPS = "EXISTS (SELECT 1 FROM jsonb_array_elements((test_runs.definition -> 'brokers') || " \
    "(test_runs.definition -> 'clients')) AS groups(value) WHERE %s)"
  SCENARIO = format(IN_GROUPS, "value ->> 'scenario' ILIKE ?")
  BEGINNING = format(IN_GROUPS, "value -> 'settings' ->> ? LIKE ?")
  VALUE = format(IN_GROUPS, ":value IN (value -> 'settings' ->> :name, " \
    "regexp_replace(value -> 'settings' ->> :name, '\\s*/?[a-zA-Z]+$', ''))")

  included do
    scope :in_state, ->(state) { state == "at_work" ? at_work.where.not(state: "queued") : where(state: state) }
    scope :tagged, ->(tag) { where "? = ANY (test_runs.tags)", tag }
    scope :provided_by, ->(provider) { where provider_id: Provider.where(name: provider) }
    scope :search, ->(words) { words.split.inject(all) { |found, word| found.merge(matching(word)) } }
  end

  class_methods do
    def matching(word)
      name, value = word.split(":", 2)
      case
      when value.blank?      then with_word(word)
      when name == "verdict" then with_verdict(value)
      else with_setting(name, value)
      end
    end

    def tags_in_use
      distinct.pluck(Arel.sql("unnest(tags)")).sort
    end

    private
      def with_word(word)
        like = "%#{sanitize_sql_like(word)}%"

        where("test_runs.name ILIKE :like OR test_runs.description ILIKE :like", like: like)
          .or(where("array_to_string(test_runs.tags, ' ') ILIKE ?", like))
          .or(where(id: word.match?(/\A\d{1,18}\z/) ? word : nil))
          .or(where(SCENARIO, like))
      end

      # "rate:100" means 100, 100/s or 100/min; "rate:100*" matches all that begins with it.
      def with_setting(name, value)
        value.end_with?("*") ? where(BEGINNING, name, "#{sanitize_sql_like(value.chomp("*"))}%") :
          where(VALUE, name: name, value: value)
      end
  end
end
