import { Controller } from "@hotwired/stimulus"
import { Turbo } from "@hotwired/turbo-rails"

// A page that is told when there is something new, and fetches it. What a person has typed, chosen or opened stays as it is.
//
// Turbo forgets what it is told while it is fetching, so what came meanwhile is asked for afterwards; so is what happened before
// the page was connected, for the first time or again.
export default class extends Controller {
  static targets = [ "source" ]

  connect() {
    this.listeners = new AbortController()
    this.#listen("turbo:before-morph-element", event => this.#keepElement(event))
    this.#listen("turbo:before-morph-attribute", event => this.#keepAttribute(event))
    this.#listen("turbo:before-stream-render", event => this.#told(event))
    this.#listen("turbo:submit-end", () => this.submitted = true)
    this.#listen("turbo:visit", () => this.stale = false)
    this.#listen("turbo:load", () => this.#loaded())

    this.observer = new MutationObserver(() => this.sourceTarget.hasAttribute("connected") && this.#refresh())
    this.observer.observe(this.sourceTarget, { attributeFilter: [ "connected" ] })
  }

  disconnect() {
    this.listeners.abort()
    this.observer.disconnect()
  }

  #listen(name, action) {
    addEventListener(name, action, { signal: this.listeners.signal })
  }

  #told(event) {
    if (event.target.action === "refresh") this.stale = true
  }

  // The answer to a form was made before its visit began.
  #loaded() {
    this.element.ariaBusy = null
    if (this.stale || this.submitted) setTimeout(() => this.#refresh())
    this.submitted = false
  }

  #refresh() {
    if (!this.element.isConnected) return

    this.stale = true
    this.element.ariaBusy = true
    Turbo.session.refresh(document.baseURI)
  }

  #keepAttribute(event) {
    const element = event.target
    const { attributeName } = event.detail

    if (attributeName === "open" && element.matches("dialog, details")) event.preventDefault()
    if (attributeName === "connected" && element === this.sourceTarget) event.preventDefault()
  }

  #keepElement(event) {
    if (event.detail.newElement && this.#touched(event.target)) event.preventDefault()
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
