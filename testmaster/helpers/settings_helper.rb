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

  # Black on white in both colour schemes, with the margin that readers need.
  def qr_code(text)
    require "rqrcode_core"
    rows = RQRCodeCore::QRCode.new(text, level: :m).modules
    path = rows.flat_map.with_index(4) { |row, y| row.map.with_index(4) { |dark, x| "M#{x} #{y}h1v1h-1z" if dark } }
    tag.svg tag.title("QR code") + tag.rect(width: "100%", height: "100%", fill: "#fff") +
      tag.path(d: path.join, fill: "#000"), role: "img", width: 240, height: 240,
      viewBox: "0 0 #{rows.size + 8} #{rows.size + 8}", "shape-rendering": "crispEdges"
  end

  # Returns "$1.20 of $50.00"; nil if the provider costs nothing.
  def spent_in_words(provider)
    safe_join [ dollars(provider.spent_today), " of ", dollars(provider.limit_day) ] if provider.rented?
  end
end
