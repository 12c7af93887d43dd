class GlossariesController < ApplicationController
  def show
  end
end
