import { Controller } from "@hotwired/stimulus"

// Submits a form of choices as soon as one changes.
export default class extends Controller {
  submit() {
    this.element.requestSubmit()
  }
}
