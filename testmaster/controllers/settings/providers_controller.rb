class Settings::ProvidersController < ApplicationController
  refuse_tokens
  open_to :administrator

  before_action :set_provider, only: %i[ edit update destroy ]
  before_action :ensure_settings, only: %i[ edit update ]

  def new
    @provider = kind.new
  end

  def create
    @provider = kind.new(provider_params)
    save_or_show :new
  end

  def edit
  end

  def update
    @provider.assign_attributes provider_params
    save_or_show :edit
  end

  def destroy
    if @provider.destroy
      redirect_to settings_section_path("providers"), notice: "#{@provider.name} is removed.", status: :see_other
    else
      redirect_to settings_section_path("providers"),
        alert: "#{@provider.name} cannot be removed: test runs or machines belong to it.", status: :see_other
    end
  end

  private
    def set_provider
      @provider = Provider.find(params[:id])
    end

    # The local provider has no settings.
    def ensure_settings
      unless @provider.configurable?
        raise ActiveRecord::RecordNotFound.new("#{@provider.name} has no settings", "provider with settings", :id,
          @provider.id)
      end
    end

    def kind
      Provider.configurable_kinds.fetch(params[:kind].to_s) do
        raise ActiveRecord::RecordNotFound.new("There is no such kind of provider", "kind of provider", :id,
          params[:kind])
      end
    end

    def provider_params
      fields_of(:provider).permit(:name, *@provider&.class&.known_settings&.keys || kind.known_settings.keys)
    end

    def save_or_show(page)
      if @provider.save
        redirect_to settings_section_path("providers"), notice: "#{@provider.name} is saved."
      else
        render page, status: :unprocessable_entity
      end
    end
end
