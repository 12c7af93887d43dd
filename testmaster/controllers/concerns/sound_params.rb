# Validates the shape of a request, before models validate its values.
module SoundParams
  extend ActiveSupport::Concern

  included do
    before_action :refuse_control_characters
    rescue_from ActionController::ParameterMissing, with: :parameter_missing
    rescue_from ActionController::UnpermittedParameters, with: :parameters_unknown
  end

  private
    # Returns the fields of a form or of a JSON object with that name.
    def fields_of(name)
      params.require(name).then do |given|
        given.is_a?(ActionController::Parameters) ?
          given : raise(ActionController::ParameterMissing.new(name, params.keys))
      end
    end

    # PostgreSQL stores no NUL, so no field may contain one.
    def refuse_control_characters
      if field = field_with_nul(params.to_unsafe_h.except("controller", "action"))
        answer_unsound "#{field} has a NUL character"
      end
    end

    def field_with_nul(value, name = nil)
      case value
      when String then name if value.include?("\0")
      when Hash   then value.filter_map { |key, inside| key
        .include?("\0") ? "A name in #{name || "the request"}" : field_with_nul(inside,
          [ name, key ].compact.join(".")) }.first
      when Array  then value.each_with_index
        .filter_map { |inside, index| field_with_nul(inside, "#{name}.#{index}") }.first
      end
    end

    def parameter_missing(error)
      complaint = "The request has no #{error.param}."
      render(**(request.format.json? ? { json: { error: complaint } } : { plain: complaint }), status: :bad_request)
    end

    def parameters_unknown(error)
      paths = error.params.flat_map { |name| paths_to(name, params.to_unsafe_h) }.first(10)
      named = paths.to_sentence(two_words_connector: " or ", last_word_connector: " or ").truncate(1000)
      answer_unsound "#{named} cannot be given here, or not in this shape"
    end

    # Rails reports only the name of a field, so this finds all its paths.
    def paths_to(name, values)
      pairs = values.is_a?(Array) ? values.each_with_index.map { |inside, n| [ n.to_s, inside ] } : values.to_a
      pairs.flat_map do |key, inside|
        [ *(key if key == name),
          *(paths_to(name, inside).map { |path| "#{key}.#{path}" } if inside.is_a?(Enumerable)) ]
      end
    end

    def answer_unsound(complaint)
      if request.format.json?
        render json: { errors: [ complaint ] }, status: :unprocessable_entity
      else
        render plain: complaint, status: :unprocessable_entity
      end
    end
end
