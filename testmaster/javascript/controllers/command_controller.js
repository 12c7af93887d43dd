import { Controller } from "@hotwired/stimulus"

const AFTER_SHUTDOWN = "These JVMs stop for the rest of this run. Their logs are kept."
const AFTER_KILL = "Unwritten data is lost, and requests fail until you send start."

// Makes Turbo ask before a command that ends running programs is sent.
export default class extends Controller {
  static targets = [ "target", "line" ]

  connect() {
    this.fit()
  }

  // Only commands that a JVM of the target understands can be chosen.
  fit() {
    const target = this.targetTarget.selectedOptions[0]?.dataset.roles.split(" ") ?? []
    const options = [ ...this.lineTarget.options ]
    options.forEach(option => {
      option.disabled = option.hidden = !option.dataset.roles.split(" ").some(role => target.includes(role))
    })
    if (this.lineTarget.selectedOptions[0]?.disabled) {
      this.lineTarget.value = options.find(option => !option.disabled)?.value ?? ""
    }
  }

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
