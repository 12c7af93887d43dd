import { Controller } from "@hotwired/stimulus"
import { clock } from "figures"

// Takes over the part of the load that the charts are zoomed to.
export default class extends Controller {
  static targets = [ "from", "to" ]

  take({ detail: view }) {
    this.fromTarget.value = view ? clock(view.from) : ""
    this.toTarget.value = view ? clock(view.to) : ""
  }
}
