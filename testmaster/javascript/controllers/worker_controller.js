import { Controller } from "@hotwired/stimulus"

const EVERY = 10_000, PATIENCE = 5_000 // ms

// Updates the worker's state at the top of each page. It polls while the page is visible, as a dead worker cannot
// report its end.
export default class extends Controller {
  static values = { url: String }

  connect() {
    this.ticking = setInterval(() => this.#ask(), EVERY)
    this.listeners = new AbortController()
    document.addEventListener("visibilitychange", () => this.#ask(), { signal: this.listeners.signal })
  }

  disconnect() {
    clearInterval(this.ticking)
    this.listeners.abort()
  }

  async #ask() {
    if (document.hidden) return

    try {
      const options = { headers: { Accept: "text/html" }, redirect: "manual", signal: AbortSignal.timeout(PATIENCE) }
      const response = await fetch(this.urlValue, options)
      if (response.ok) this.element.innerHTML = await response.text()
      else this.#say(response.type === "opaqueredirect" ? "Signed out" : `Error ${response.status}`)
    } catch {
      this.#say("No answer")
    }
  }

  #say(words) {
    const state = document.createElement("span")
    state.className = "state"
    state.dataset.state = "failed"
    state.textContent = words
    this.element.replaceChildren(state)
  }
}
