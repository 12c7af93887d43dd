import { Controller } from "@hotwired/stimulus"
import { clock } from "figures"

// Shows the age of figures, which also grows without new ones. The server sends their age and not their time, as its
// clock may differ from the browser's, which counts on.
export default class extends Controller {
  static targets = [ "age", "stale" ]
  static values = { at: String, seconds: Number, fresh: Number }

  connect() {
    this.ticking = setInterval(() => this.#tell(), 1000)
    this.listeners = new AbortController()
    addEventListener("turbo:render", () => this.#tell(), { signal: this.listeners.signal })
  }

  disconnect() {
    clearInterval(this.ticking)
    this.listeners.abort()
  }

  atValueChanged() {
    this.measuredAt = performance.now() - this.secondsValue * 1000
    this.#tell()
  }

  #tell() {
    const seconds = Math.max(0, (performance.now() - this.measuredAt) / 1000)
    this.ageTarget.textContent = clock(Math.floor(seconds))
    this.staleTarget.hidden = seconds < this.freshValue
    this.element.className = seconds < this.freshValue ? "muted" : "note note--warn"
  }
}
