class Consoles::ClientsController < ApplicationController
  include ConsoleScoped

  def index
    filter :prefix, :online, :after
    return if performed?

    @look = console.clients(@filter.to_h.merge(online: { "yes" => true, "no" => false }[@filter[:online]]))
    @rows = page_of(@look.rows(:clients))
    @after = @rows.last["name"] if more?(@look.rows(:clients))
    answer clients: @rows, after: @after, about: @look[:about].row&.fetch("about")
  end
end
