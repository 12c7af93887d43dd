# Divides the settings into pages.
module SettingsHelper
  # The table maps the section of an address to the word of its tab and the role that it needs.
  SECTIONS = { "" => [ "Account", "viewer" ], "tokens" => [ "Tokens", "viewer" ],
    "webhook" => [ "Webhook", "experimenter" ], "people" => [ "People", "administrator" ],
    "providers" => [ "Providers", "administrator" ], "databases" => [ "Message databases", "administrator" ],
    "disk" => [ "Disk", "administrator" ] }

  # Controllers that show a page again, with errors or a secret.
  OF_CONTROLLERS = { "accounts" => "", "api_tokens" => "tokens", "webhooks" => "webhook", "invitations" => "people",
    "checks" => "providers", "retentions" => "disk" }

  def settings_section
    controller_name == "sections" ? params[:id] : OF_CONTROLLERS.fetch(controller_name, "")
  end

  # Returns [ [ word, path, whether it is shown ], … ].
  def tabs_of_settings
    shown = SECTIONS.select { |_, (_, role)| may? role }.map do |section, (word, _)|
      [ word, section.empty? ? settings_path : settings_section_path(section), section == settings_section ]
    end
    may?(:administrator) ? shown.push([ "Audit log", audit_entries_path, false ]) : shown
  end

  # Renders a secret that is shown once, with a button that copies it.
  def secret(text)
    tag.p class: "field-line", data: { controller: "copy" } do
      tag.code(text, class: "secret", data: { copy_target: "text" }) +
        tag.button(safe_join([ icon(:copy), "Copy" ]), type: "button", class: "btn", data: { action: "copy#copy" })
    end
  end

  # Returns "$1.20 of $50.00"; nil if the provider costs nothing.
  def spent_in_words(provider)
    safe_join [ dollars(provider.spent_today), " of ", dollars(provider.limit_day) ] if provider.rented?
  end
end
