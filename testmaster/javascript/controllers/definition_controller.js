import { Controller } from "@hotwired/stimulus"

const SECONDS = { "": 1, s: 1, min: 60, m: 60, h: 3600 }

const PAUSE = 400 // ms without a key before the server is asked

// Sums up the totals of a definition, and requests an estimate from the server, while it is edited.
export default class extends Controller {
  static targets = [
    "brokers", "jvms", "clients", "load", "measured", "duration", "warmup", "cooldown", "estimate", "mistakes"
  ]

  connect() {
    this.total()
  }

  disconnect() {
    clearTimeout(this.waiting)
  }

  estimateSoon() {
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => this.element.requestSubmit(this.estimateTarget), PAUSE)
  }

  // An estimate that was requested before a refused launch does not contain the errors of the launch.
  refuseStale(event) {
    const correcting = frame => frame.querySelector("[name=correcting]")
    if (correcting(event.target) && !correcting(event.detail.newFrame)) event.detail.render = () => {}
  }

  // Fields that are valid again are no longer marked.
  forgetCorrected() {
    const wrong = [ ...this.element.querySelectorAll("#mistakes a") ].map(link => link.hash.slice(1))

    this.element.querySelectorAll("[aria-invalid]").forEach(field => {
      if (wrong.includes(field.id)) return
      field.closest(".field")?.querySelectorAll(".error").forEach(error => error.remove())
      field.removeAttribute("aria-invalid")
    })
    this.element.querySelectorAll("p.error[id]").forEach(error => {
      error.hidden = !wrong.includes(error.id) && error.id.endsWith("_groups_error")
    })
    this.mistakesTargets.forEach(link => link.hidden = wrong.length === 0)
  }

  total() {
    this.#show(this.brokersTargets, this.#sum("broker", 2))
    this.#show(this.jvmsTargets, this.#sum("client", 2))
    this.#show(this.clientsTargets, this.#sum("client", 3))

    const fields = [ this.durationTarget, this.warmupTarget, this.cooldownTarget ]
    const [ load, warmup, cooldown ] = fields.map(field => this.#seconds(field.value || field.placeholder))
    this.#show(this.loadTargets, this.#clock(load))
    this.#show(this.measuredTargets, this.#clock(load - warmup - cooldown))
  }

  #sum(role, factors) {
    const groups = [ ...this.element.querySelectorAll(`[data-role="${role}"]`) ].filter(group => !group.hidden)
    const counts = group => [ ...group.querySelectorAll("[data-group-target=count]") ].slice(0, factors)
    const size = group => counts(group).reduce((product, count) => product * (parseInt(count.value) || 0), 1)

    return groups.reduce((sum, group) => sum + size(group), 0).toLocaleString("en")
  }

  #show(targets, text) {
    targets.forEach(target => target.textContent = text)
  }

  #seconds(text) {
    const match = text.trim().match(/^(\d{1,7})\s*(s|min|m|h|)$/)
    return match ? match[1] * SECONDS[match[2]] : NaN
  }

  #clock(seconds) {
    if (!(seconds > 0)) return "–"

    const pad = number => String(number).padStart(2, "0")
    const [ hours, minutes, rest ] = [ Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60 ]
    return hours ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
  }
}
