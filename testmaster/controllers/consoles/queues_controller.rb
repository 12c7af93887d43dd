class Consoles::QueuesController < ApplicationController
  include ConsoleScoped

  FIRST = 20 # messages beside the figures of a queue

  def index
    filter :prefix, :kind, :sort, :after
    return if performed?

    @look = console.queues(@filter.to_h.merge(after: place_of(@filter[:after])))
    @rows = page_of(@look.rows(:queues))
    @after = place_after(@rows.last) if more?(@look.rows(:queues))
    answer queues: @rows, after: @after
  end

  def show
    filter :id
    return if performed?

    @look = console.queue(@filter[:id])
    @queue = @look[:queues].row
    @changes = console_owner.queue_changes.shown.where(queue_id: @filter[:id])
    return render_gone unless @queue || @look[:queues].gap

    @messages = @look.rows(:messages)&.first(FIRST)
    @more = @look.rows(:messages).to_a.size > FIRST
    answer queue: @queue, messages: @messages, changes: @changes
  end

  private
    # The page says so if a change of this console deleted the queue.
    def render_gone
      respond_to do |format|
        format.html { render :show, status: :not_found }
        format.json { render json: { error: "There is no queue #{@filter[:id]}." }, status: :not_found }
      end
    end

    # The text is "582 12": the sort value of the last row, and its id.
    def place_of(text)
      value, id = text.to_s.rpartition(" ").values_at(0, 2)
      value = value[/\A-?\d{1,18}\z/] unless @filter[:sort] == "name"
      [ value, id ] if value && id.match?(/\A\d{1,9}\z/)
    end

    def place_after(row)
      "#{@filter[:sort] == "name" ? row["name"] : row["length"].to_i} #{row["id"]}"
    end
end
