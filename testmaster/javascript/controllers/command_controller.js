import { Controller } from "@hotwired/stimulus"

const AFTER_SHUTDOWN = "They stop serving the load and do not come back in this run. What they have logged is kept."
const AFTER_KILL = "What it has not written is lost, and requests fail until start has it serve again."

// Makes Turbo ask before a command that ends running programs is sent.
export default class extends Controller {
  static targets = [ "target", "line" ]

  ask() {
    if (this.lineTarget.value === "shutdown") {
      const whom = this.targetTarget.selectedOptions[0].textContent
      this.element.dataset.turboConfirm = `Shut down: ${whom}? ${AFTER_SHUTDOWN}`
      this.element.dataset.confirmWord = "Shut down"
    } else if (this.lineTarget.value === "kill") {
      this.element.dataset.turboConfirm = `Kill the server by signal 9? ${AFTER_KILL}`
      this.element.dataset.confirmWord = "Kill"
    } else {
      delete this.element.dataset.turboConfirm
    }
  }
}
