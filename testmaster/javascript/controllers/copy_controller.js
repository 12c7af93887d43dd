import { Controller } from "@hotwired/stimulus"

// Copies a text. Without access to the clipboard the text is selected instead.
export default class extends Controller {
  static targets = [ "text" ]

  async copy(event) {
    const button = event.currentTarget
    try {
      await navigator.clipboard.writeText(this.textTarget.textContent)
      button.textContent = "Copied"
    } catch {
      getSelection().selectAllChildren(this.textTarget)
      button.textContent = "Selected: press Ctrl+C"
    }
  }
}
