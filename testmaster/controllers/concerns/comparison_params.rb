# Reads the sides of a comparison from a program's request or from the selection in the list of runs.
module ComparisonParams
  private
    def comparison_params
      return chosen_in_list unless params[:comparison]

      given = fields_of(:comparison)
      unknown = given.keys - %w[ sides tag limits ]
      raise ActionController::UnpermittedParameters.new(unknown) if unknown.any?

      sides = given[:tag].present? ? Comparison.sides_of_tag(given[:tag].to_s) : given[:sides]
      { sides: sides, limits: Array(given[:limits]).map(&:to_s) }
    end

    # Each run is a side, or all runs of one definition are. The oldest comes first.
    def chosen_in_list
      ids = Array(params[:test_run_ids]).map(&:to_s).first(100).sort_by(&:to_i)
      case
      when params[:tag].present?         then { sides: Comparison.sides_of_tag(params[:tag].to_s) }
      when params[:repetitions].present? then { sides: Comparison.sides_of_repetitions(ids) }
      else { sides: ids }
      end
    end
end
