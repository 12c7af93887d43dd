import { Controller } from "@hotwired/stimulus"

const PAUSE = 500 // ms without a key, before the server is asked

// Has the server tell the table of runs, its time and its cost, while an experiment is typed.
export default class extends Controller {
  static targets = [ "estimate" ]

  disconnect() {
    clearTimeout(this.waiting)
  }

  estimateSoon() {
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => this.element.requestSubmit(this.estimateTarget), PAUSE)
  }
}
