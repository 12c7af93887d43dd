import { Controller } from "@hotwired/stimulus"

const EVERY = 5000 // ms
const KEPT = "console reads by itself"

// Reloads a console on request or every five seconds, while it is visible and no dialog is open.
export default class extends Controller {
  static targets = [ "frame", "every", "lost" ]

  connect() {
    this.everyTarget.checked = localStorage.getItem(KEPT) === "yes"
    this.ticking = setInterval(() => this.#tick(), EVERY)
    this.listeners = new AbortController()
    this.#listen("turbo:frame-load", () => this.lostTarget.hidden = true)
    this.#listen("turbo:fetch-request-error", () => this.lostTarget.hidden = false)
    // The user has signed out meanwhile, or the run has no database any more: the response is shown as a page.
    this.#listen("turbo:frame-missing", event => {
      event.preventDefault()
      event.detail.visit(event.detail.response)
    })
  }

  disconnect() {
    clearInterval(this.ticking)
    this.listeners.abort()
  }

  read(event) {
    event?.preventDefault()
    if (this.frameTarget.src) this.frameTarget.reload()
    else this.frameTarget.src = location.href
  }

  remember() {
    localStorage.setItem(KEPT, this.everyTarget.checked ? "yes" : "no")
    if (this.everyTarget.checked) this.read()
  }

  #listen(name, action) {
    this.element.addEventListener(name, action, { signal: this.listeners.signal })
  }

  #tick() {
    if (!this.everyTarget.checked || document.hidden) return
    if (!document.querySelector("dialog[open]") && !this.frameTarget.hasAttribute("busy")) this.read()
  }
}
