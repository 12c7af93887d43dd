import { Controller } from "@hotwired/stimulus"

// Controls a number between a button that decreases it and one that increases it.
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
