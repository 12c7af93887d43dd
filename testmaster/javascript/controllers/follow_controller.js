import { Controller } from "@hotwired/stimulus"

const EVERY = 3000 // ms

// A frame that fetches itself while somebody looks at it: not where the page is hidden, where something in it is opened to be read,
// or where it is told to wait. It ends where the server says no more that there is something to follow.
export default class extends Controller {
  static targets = [ "on" ]

  connect() {
    this.ticking = setInterval(() => this.#fetch(), EVERY)
  }

  disconnect() {
    clearInterval(this.ticking)
  }

  #fetch() {
    if (!this.hasOnTarget) return clearInterval(this.ticking)
    if (document.hidden || this.element.hasAttribute("busy") || this.#toldToWait || this.#beingRead) return

    this.element.src ? this.element.reload() : this.element.src = location.href
  }

  get #toldToWait() {
    return !this.onTarget.querySelector("input").checked
  }

  get #beingRead() {
    return this.element.querySelector("details[open]")
  }
}
