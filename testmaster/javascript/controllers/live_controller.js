import { Controller } from "@hotwired/stimulus"
import { Turbo } from "@hotwired/turbo-rails"

const PAUSE = 100 // ms in which several messages are combined into one fetch
const REST = 2 // times the duration of the last fetch: fetches take at most a third of the time
const LONGEST_REST = 5_000 // ms
const LONGEST_PRESS = 30_000 // ms

// Reloads a page when the server reports news. Input, selections and open elements of the user stay.
//
// Turbo ignores messages while it is fetching, and a fetch cancels a form that is being submitted, also one that waits
// for a confirmation. So news that arrives meanwhile is fetched afterwards, and so is news from before the connection
// was made. Nothing changes between the press and the release of a mouse button, as the click would be lost.
export default class extends Controller {
  static targets = [ "source" ]
  static values = { every: Number } // seconds, for figures that change without a message

  connect() {
    this.waiting = this.underWay = this.begunAt = null
    this.restsUntil = 0
    const tick = () => document.hidden || this.#refreshSoon()
    if (this.everyValue) this.ticking = setInterval(tick, this.everyValue * 1000)
    this.listeners = new AbortController()
    this.#listen("turbo:before-morph-element", event => this.#keepElement(event))
    this.#listen("turbo:before-morph-attribute", event => this.#keepAttribute(event))
    this.#listen("turbo:before-stream-render", event => this.#told(event))
    this.#listen("confirm:asked", () => this.underWay = true)
    this.#listen("confirm:declined", () => this.#declined())
    this.#listen("turbo:submit-start", event => this.#submitting(event))
    this.#listen("turbo:submit-end", event => this.#submitted(event))
    this.#listen("turbo:visit", () => this.stale = this.underWay = false)
    this.#listen("turbo:load", () => this.#loaded())
    this.#listen("pointerdown", ({ button }) => button === 0 && this.#pressed())
    for (const name of [ "pointerup", "pointercancel", "blur" ]) this.#listen(name, () => this.#released())
    this.#listen("turbo:before-render", event => this.#holdWhilePressed(event))

    this.observer = new MutationObserver(() => this.sourceTarget.hasAttribute("connected") && this.#refreshSoon())
    this.observer.observe(this.sourceTarget, { attributeFilter: [ "connected" ] })
  }

  disconnect() {
    clearTimeout(this.waiting)
    clearTimeout(this.pressing)
    clearInterval(this.ticking)
    this.listeners.abort()
    this.observer.disconnect()
  }

  #listen(name, action) {
    addEventListener(name, action, { signal: this.listeners.signal })
  }

  #told(event) {
    if (event.target.action === "refresh") {
      event.preventDefault()
      this.#refreshSoon()
    }
  }

  #submitting(event) {
    this.underWay = true
    event.target.querySelectorAll(".error").forEach(error => error.remove())
  }

  // After a redirect, the form is complete once the new visit starts.
  #submitted(event) {
    this.underWay = event.detail.fetchResponse?.redirected
    this.answered = true
    this.restsUntil = 0
    if (!this.underWay) this.#refreshSoon()
  }

  #declined() {
    this.underWay = false
    this.#refreshSoon()
  }

  #loaded() {
    const now = performance.now()
    if (this.begunAt) this.restsUntil = now + Math.min(REST * (now - this.begunAt), LONGEST_REST)
    this.begunAt = this.element.ariaBusy = null
    if (this.stale || this.answered) this.#refreshSoon()
    this.answered = false
  }

  #refreshSoon() {
    this.stale = true
    this.element.ariaBusy = true
    this.waiting ||= setTimeout(() => this.#refresh(), Math.max(PAUSE, this.restsUntil - performance.now()))
  }

  #refresh() {
    this.waiting = null
    if (this.underWay || Turbo.navigator.currentVisit) return
    if (performance.now() < this.restsUntil) return this.#refreshSoon() // another fetch has ended meanwhile

    this.begunAt = performance.now()
    Turbo.visit(document.baseURI, { action: "replace", shouldCacheSnapshot: false })
  }

  #pressed() {
    clearTimeout(this.pressing)
    this.pressing = setTimeout(() => this.#released(), LONGEST_PRESS)
  }

  // The click event follows the release.
  #released() {
    clearTimeout(this.pressing)
    this.pressing = null
    setTimeout(() => { this.goOn?.(); this.goOn = null })
  }

  #holdWhilePressed(event) {
    if (!this.pressing) return

    event.preventDefault()
    this.goOn = event.detail.resume
  }

  #keepAttribute(event) {
    const element = event.target
    const { attributeName } = event.detail

    if (attributeName === "open" && element.matches("dialog, details")) event.preventDefault()
    if (attributeName === "connected" && element === this.sourceTarget) event.preventDefault()
  }

  #keepElement(event) {
    if (event.detail.newElement && (this.#touched(event.target) || this.#stillToBeRead(event))) event.preventDefault()
  }

  // A notice stays until there is another one.
  #stillToBeRead({ target, detail }) {
    return target.id === "flash" && target.childElementCount && !detail.newElement.childElementCount
  }

  #touched(element) {
    if (element.matches("dialog")) return element.open
    if (element.matches("form")) return element.querySelector(".error")
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
