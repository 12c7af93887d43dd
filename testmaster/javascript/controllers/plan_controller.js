import { Controller } from "@hotwired/stimulus"

const PAUSE = 500 // ms without a key before the server is asked

// Requests the table of runs, its time and its cost from the server while an experiment is edited.
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
