import { Controller } from "@hotwired/stimulus"
import { clock } from "figures"

// Copies the part of the load to which the charts are zoomed.
export default class extends Controller {
  static targets = [ "from", "to" ]

  take({ detail: view }) {
    this.fromTarget.value = view ? clock(view.from) : ""
    this.toTarget.value = view ? clock(view.to) : ""
  }
}
