import { Controller } from "@hotwired/stimulus"

// A number between a button for one fewer and a button for one more.
export default class extends Controller {
  fewer() {
    this.#input.stepDown()
    this.#announce()
  }

  more() {
    this.#input.stepUp()
    this.#announce()
  }

  #announce() {
    this.#input.dispatchEvent(new Event("input", { bubbles: true }))
  }

  get #input() {
    return this.element.querySelector("input")
  }
}
