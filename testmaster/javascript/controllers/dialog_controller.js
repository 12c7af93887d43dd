import { Controller } from "@hotwired/stimulus"

// Opens the dialog with the given id.
export default class extends Controller {
  static values = { id: String }

  open() {
    document.getElementById(this.idValue).showModal()
  }
}
