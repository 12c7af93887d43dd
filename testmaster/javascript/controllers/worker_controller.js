import { Controller } from "@hotwired/stimulus"

const EVERY = 10_000, PATIENCE = 5_000 // ms

// What the top of each page says of the worker. It is asked for again while somebody looks at the page: a worker that is gone tells
// nobody.
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
