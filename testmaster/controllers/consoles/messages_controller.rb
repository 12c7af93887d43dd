class Consoles::MessagesController < ApplicationController
  include ConsoleScoped

  def index
    filter :queue_id, :queue, :sender, :receiver, :place, :context, :priority, :after
    return if performed?

    @look = console.messages(wanted, after: Console::Position.parse(@filter[:after]))
    @rows = page_of(@look.rows(:messages)&.select { |row| row["matches"] })
    @after = position_after(@look.rows(:messages).to_a)
    answer messages: @rows&.map { |row| represent row }, after: @after&.to_param
  end

  def show
    filter :as, :from
    position = Console::Position.parse(params[:id])
    return if performed?

    @look = console.message(position, from: @filter[:from].to_i) if position
    @message = @look && @look[:message].row
    return render_taken unless @message || @look&.[](:message)&.gap

    @content = Console::Content.new(@message["hex"], from: @filter[:from].to_i, size: @message["bytes"]) if @message
    answer message: @message && represent(@message), text: @content&.text, from: @content&.from, upto: @content&.upto
  end

  private
    def wanted
      { queue: (@filter[:queue_id] unless @filter[:queue]), queue_name: @filter[:queue],
        anybody: @filter[:place] == "anybody" || nil, leased: @filter[:place] == "leased" || nil,
        **@filter.to_h.slice(:sender, :receiver, :context, :priority) }.compact
    end

    def represent(row)
      row.except("matches").merge(position: Console::Position.of(row, leased: row["lease_ends"]).to_param)
    end

    # Returns the position after the last shown message, or after the last examined one.
    def position_after(rows)
      matching = rows.select { |row| row["matches"] }
      last = more?(matching) ? @rows.last : @stopped = rows.find { |row| !row["matches"] }
      Console::Position.of(last) if last
    end

    def render_taken
      respond_to do |format|
        format.html { render :taken, status: :not_found }
        format.json { render json: { error: "The message is gone: it was dequeued, or moved." }, status: :not_found }
      end
    end
end
