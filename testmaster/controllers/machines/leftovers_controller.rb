# Lists the running machines that each provider reports and that belong to no active run. Providers respond slowly, so
# the page of machines loads this list afterwards.
class Machines::LeftoversController < ApplicationController
  def index
    @leftovers, @failures = [], {}
    Provider.order(:id).each { |provider| ask provider }

    respond_to do |format|
      format.html
      format.json do
        @failures.empty? ? render(json: @leftovers) : render(json: { error: complaint, leftovers: @leftovers },
          status: :service_unavailable)
      end
    end
  end

  private
    # No list at all is safer than an incomplete one.
    def complaint
      @failures.map { |provider, failure| "#{provider.name} does not list its machines: #{failure.message}" }.join("; ")
    end

    def ask(provider)
      @leftovers.concat provider.impatient.leftovers
    rescue Failure => failure
      @failures[provider] = failure
    end
end
