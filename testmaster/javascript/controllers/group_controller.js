import { Controller } from "@hotwired/stimulus"

// Controls one group of the form: shows the settings of its scenario or system, and its total number.
export default class extends Controller {
  static targets = [ "count", "total", "choice", "description", "setting", "size", "address" ]

  connect() {
    this.total()
  }

  choose() {
    const choice = this.choiceTarget.value

    this.descriptionTargets.forEach(description => description.hidden = description.dataset.choice !== choice)
    this.settingTargets.forEach(setting => {
      setting.hidden = !setting.dataset.choices.split(" ").includes(choice)
      setting.querySelectorAll("input, select").forEach(control => control.disabled = setting.hidden)
    })
    this.#size()
  }

  // Another system has one server, or none if it is at an address.
  #size() {
    if (!this.hasAddressTarget) return

    this.sizeTarget.hidden = !this.addressTarget.disabled
    if (this.sizeTarget.hidden) this.countTargets.forEach(count => count.value = 1)
    this.total()
  }

  total() {
    const total = this.countTargets.reduce((product, count) => product * (parseInt(count.value) || 0), 1)
    this.totalTarget.textContent = total.toLocaleString("en")
  }
}
