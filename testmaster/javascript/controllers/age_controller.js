import { Controller } from "@hotwired/stimulus"
import { clock } from "figures"

// How old figures are, by the clock of the browser: it goes on where nobody brings newer ones. The server tells how old they were when
// it sent them, as both clocks may differ.
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
