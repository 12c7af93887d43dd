class Consoles::TopicsController < ApplicationController
  include ConsoleScoped

  def index
    filter :prefix, :after
    return if performed?

    @look = console.topics(@filter.to_h)
    @rows = page_of(@look.rows(:topics))
    @after = @rows.last["name"] if more?(@look.rows(:topics))
    answer topics: @rows, after: @after
  end

  def show
    filter :id, :after
    return if performed?

    @look = console.topic(@filter[:id], after: @filter[:after])
    @topic = @look[:topic].row
    return render_gone unless @topic || @look[:topic].gap

    @rows = page_of(@look.rows(:subscriptions))
    @after = @rows.last["name"] if more?(@look.rows(:subscriptions))
    answer topic: @topic, subscriptions: @rows, after: @after
  end

  private
    def render_gone
      respond_to do |format|
        format.html { render :show, status: :not_found }
        format.json { render json: { error: "There is no topic #{@filter[:id]}." }, status: :not_found }
      end
    end
end
