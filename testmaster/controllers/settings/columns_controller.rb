# Stores the columns of the list of runs that an account has selected.
class Settings::ColumnsController < ApplicationController
  refuse_tokens
  open_to :viewer
  not_audited

  def update
    if Current.user.update(columns: Array(params[:columns]).map(&:to_s).compact_blank)
      redirect_back_or_to test_runs_path, status: :see_other
    else
      redirect_to test_runs_path, alert: Current.user.errors.full_messages.to_sentence, status: :see_other
    end
  end
end
