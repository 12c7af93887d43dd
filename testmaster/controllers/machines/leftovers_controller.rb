# What lives, by each provider's own account, and belongs to no run at work. Asking takes a moment, so the page of machines asks afterwards.
class Machines::LeftoversController < ApplicationController
  def index
    @leftovers, @failures = [], {}
    Provider.order(:id).each { |provider| ask provider }

    respond_to do |format|
      format.html
      format.json { render json: @leftovers }
    end
  end

  private
    def ask(provider)
      @leftovers.concat provider.impatient.leftovers
    rescue Failure => failure
      @failures[provider] = failure
    end
end
