class Settings::Providers::HostKeysController < ApplicationController
  refuse_tokens
  open_to :administrator

  def destroy
    provider = Provider.where(type: Provider.kinds.values.select(&:learns_host_keys?).map(&:name))
      .find(params[:provider_id])
    host_key = provider.host_keys.find(params[:id])
    host_key.destroy!

    redirect_to edit_settings_provider_path(provider, anchor: "host-keys"),
      notice: "The key of #{host_key.address} is forgotten: the one that it shows next is kept.", status: :see_other
  end
end
