import { Controller } from "@hotwired/stimulus"

const EVERY = 3000 // ms

// Reloads a frame at intervals while it is visible. It pauses while the page is hidden, an element in the frame is
// open, or the frame is told to wait. It ends when the response no longer contains a frame to follow.
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
