import { Controller } from "@hotwired/stimulus"

// One group: shows the settings that its scenario has, and how many there will be of it.
export default class extends Controller {
  static targets = [ "count", "total", "scenario", "description", "setting" ]

  connect() {
    this.total()
  }

  choose() {
    const scenario = this.scenarioTarget.value

    this.descriptionTargets.forEach(description => description.hidden = description.dataset.scenario !== scenario)
    this.settingTargets.forEach(setting => {
      setting.hidden = !setting.dataset.scenarios.split(" ").includes(scenario)
      setting.querySelectorAll("input, select").forEach(control => control.disabled = setting.hidden)
    })
  }

  total() {
    this.totalTarget.textContent = this.countTargets.reduce((product, count) => product * (parseInt(count.value) || 0), 1).toLocaleString("en")
  }
}
