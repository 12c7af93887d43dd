import { Controller } from "@hotwired/stimulus"

const PAUSE = 1000 // ms without a key before the input is sent
const AGAIN = 5000 // ms until the next attempt if the server was unavailable

// Stores input on the server, valid or not, until it is saved.
export default class extends Controller {
  static targets = [ "state" ]
  static values = { url: String }

  disconnect() {
    this.stop()
  }

  keepSoon() {
    this.typed = true
    this.#keepIn(PAUSE)
  }

  // After saving or launching, the stored input is not needed any more. An estimate saves nothing.
  submit({ submitter }) {
    if (!submitter?.dataset.turboFrame) this.stop()
  }

  stop() {
    clearTimeout(this.waiting)
    this.asking?.abort()
    this.typed = false
  }

  // The page is left before the pause is over.
  leave() {
    if (this.typed) navigator.sendBeacon(this.urlValue, this.#fields())
  }

  async keep() {
    this.asking?.abort()
    this.asking = new AbortController()
    this.typed = false

    try {
      const answer = await fetch(this.urlValue, { method: "POST", body: this.#fields(), signal: this.asking.signal,
        headers: { Accept: "application/json" } })
      if (answer.ok) {
        this.#say(`Saved in this form at ${new Date().toLocaleTimeString("en-GB", { timeZone: "UTC" })} UTC`)
      } else {
        const { error, errors } = await answer.json().catch(() => ({}))
        this.#say(`Not saved: ${error || errors?.join(", ") || `the server responded with ${answer.status}`}`)
      }
    } catch (error) {
      if (error.name == "AbortError") return

      this.typed = true
      this.#say("Not saved: the server cannot be reached. The page tries again.")
      this.#keepIn(AGAIN)
    }
  }

  #keepIn(pause) {
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => this.keep(), pause)
  }

  // The form's own token is valid only for its own action.
  #fields() {
    const fields = new FormData(this.element)
    fields.delete("_method")
    const token = document.querySelector("meta[name=csrf-token]")
    if (token) fields.set("authenticity_token", token.content)
    return fields
  }

  #say(text) {
    this.stateTarget.textContent = text
  }
}
