# Finds faults with axe-core (Deque, MPL 2.0) that affect users of screen readers or keyboards.
module AccessibilityHelper
  AXE = Pathname(Gem::Specification.find_by_name("axe-core-api").gem_dir).join("node_modules/axe-core/axe.min.js").read
  GRAVE = %w[ moderate serious critical ]

  # @return the faults of the open page as texts. In the dark scheme only colours differ, so only contrast is checked.
  def accessibility_faults(name)
    prefer "light"
    light = violations_of_page
    prefer "dark"
    dark = violations_of_page(runOnly: [ "color-contrast" ])
    light.map { |violation| "#{name}: #{violation}" } + dark.map { |violation| "#{name}, dark: #{violation}" }
  end

  def prefer(scheme)
    page.driver.browser.page.command "Emulation.setEmulatedMedia",
      features: [ { name: "prefers-color-scheme", value: scheme } ]
  end

  private
    # Repeats the check when the page fetched itself during it, as it would mix two states. Turbo marks the page as
    # busy.
    def violations_of_page(options = {})
      execute_script AXE unless evaluate_script("typeof axe == 'object'")
      evaluate_async_script(<<~JS).select { |rule| rule["impact"].in? GRAVE }.map { |rule| words_of rule }
        const done = arguments[0], root = document.documentElement
        let visits = 0
        addEventListener("turbo:visit", () => visits++)
        const look = () => {
          const before = visits
          if (root.ariaBusy) return setTimeout(look, 50)
          axe.run(document, { resultTypes: [ "violations" ], iframes: false, preload: false, ...#{options.to_json} })
            .then(results => visits === before ? done(results.violations.map(({ id, impact, help, nodes }) =>
              ({ id, impact, help, nodes: nodes.map(node => node.html.slice(0, 200)) }))) : look())
        }
        look()
      JS
    end

    def words_of(rule)
      "#{rule["impact"]} #{rule["id"]}: #{rule["help"]}\n  #{rule["nodes"].first(3).join("\n  ")}"
    end
end
