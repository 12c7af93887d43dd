import { Controller } from "@hotwired/stimulus"

// Asks before the selected runs are deleted. Without JavaScript a separate page asks.
export default class extends Controller {
  static targets = [ "dialog", "count" ]

  ask(event) {
    event.preventDefault()
    const count = new FormData(this.element).getAll("test_run_ids[]").length
    this.countTarget.textContent = count === 1 ? "1 run" : `${count} runs`
    this.dialogTarget.showModal()
  }

  close() {
    this.dialogTarget.close()
  }
}
