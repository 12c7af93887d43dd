import { Controller } from "@hotwired/stimulus"

// Adds and removes rows of a list.
export default class extends Controller {
  static targets = [ "list", "template", "row" ]

  add() {
    this.listTarget.append(this.templateTarget.content.cloneNode(true))
    this.rowTargets.at(-1).querySelector("input").focus()
  }

  remove(event) {
    this.rowTargets.find(row => row.contains(event.target)).remove()
  }
}
