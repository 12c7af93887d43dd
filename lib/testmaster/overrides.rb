module Testmaster
  # Implements --set key=value, which replaces one value of a definition, such as duration=30s or
  # clients.0.settings.rate=200/s.
  class Overrides
    class Error < StandardError; end

    SETTING = /\A(?<path>(?:brokers|clients)\.\d+\.settings)\.(?<key>.+)\z/

    def initialize(pairs)
      @pairs = pairs.map { |pair| pair.split("=", 2) }
      wrong = pairs.find { |pair| !pair.match?(/\A[^=]+=/) } and raise Error,
        "--set #{wrong}: write key=value, such as duration=30s"
    end

    def apply_to(definition)
      @pairs.each { |path, value| replace definition, path, value }
      definition
    end

    private
      # The keys of settings contain dots.
      def replace(definition, path, value)
        setting = SETTING.match(path)
        if path.empty? || path.start_with?(".") || path.end_with?(".") || path.include?("..")
          raise Error, "--set #{path}: a name is missing"
        end

        *parents, key = setting ? [ *setting[:path].split("."), setting[:key] ] : path.split(".")
        place = parents.inject(definition) { |inside, step| step_into inside, step, path }
        put value, key, place, path
      end

      def put(value, key, place, path)
        case place
        when Array then place[index(key, place, path)] = value
        when Hash  then place[key] = value
        else raise Error, "--set #{path}: there is nothing below #{place.inspect}"
        end
      end

      def step_into(inside, step, path)
        case inside
        when Array then inside[index(step, inside, path)]
        when Hash  then inside[step] ||= {}
        else raise Error, "--set #{path}: there is nothing below #{inside.inspect}"
        end
      end

      def index(step, list, path)
        step.match?(/\A\d+\z/) &&
          step.to_i < list.size ?
            step.to_i : raise(Error, "--set #{path}: there is no #{step}; they are numbered 0 to #{list.size - 1}")
      end
  end
end
