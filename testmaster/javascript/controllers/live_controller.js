import { Controller } from "@hotwired/stimulus"
import { Turbo } from "@hotwired/turbo-rails"

// A page that is told when there is something new, and fetches it. What a person has typed, chosen or opened stays as it is.
// Once a lost connection is back, the page fetches what it has missed.
export default class extends Controller {
  static targets = [ "source" ]

  connect() {
    this.keep = this.#keep.bind(this)
    addEventListener("turbo:before-morph-element", this.keep)
    addEventListener("turbo:before-morph-attribute", this.keep)

    this.observer = new MutationObserver(() => this.#connectionChanged())
    this.observer.observe(this.sourceTarget, { attributeFilter: [ "connected" ] })
  }

  disconnect() {
    removeEventListener("turbo:before-morph-element", this.keep)
    removeEventListener("turbo:before-morph-attribute", this.keep)
    this.observer.disconnect()
  }

  #connectionChanged() {
    const connected = this.sourceTarget.hasAttribute("connected")

    if (connected && this.lost) Turbo.session.refresh(location.href)
    this.lost = !connected
  }

  #keep(event) {
    const element = event.target
    const { newElement, attributeName } = event.detail

    if (attributeName) {
      if (attributeName === "open" && element.matches("dialog, details")) event.preventDefault()
    } else if (newElement && this.#touched(element)) {
      event.preventDefault()
    }
  }

  #touched(element) {
    if (element.matches("dialog")) return element.open
    if (element.matches("input[type=radio], input[type=checkbox]")) return element.checked !== element.defaultChecked
    if (element.matches("input, textarea")) return element.value !== element.defaultValue
    if (element.matches("select")) return element === document.activeElement || !this.#atDefault(element)
    return false
  }

  #atDefault(select) {
    const chosen = [ ...select.options ].findIndex(option => option.defaultSelected)
    return select.selectedIndex === Math.max(chosen, 0)
  }
}
