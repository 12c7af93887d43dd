import { Controller } from "@hotwired/stimulus"

const WISH = "notify when a run ends" // stored in the browser, for all runs

// Notifies a user who looks at another window that the run has ended. The server renders the button hidden; a browser
// with notifications shows it.
export default class extends Controller {
  static targets = [ "button" ]
  static values = { ended: Boolean, title: String }

  connect() {
    this.show()
  }

  endedValueChanged(ended, before) {
    if (ended && before === false && this.#wished) this.#notify()
  }

  async toggle() {
    if (this.#wished) {
      localStorage.removeItem(WISH)
    } else if (await Notification.requestPermission() === "granted") {
      localStorage.setItem(WISH, "yes")
    }
    this.show()
  }

  // This also runs after a reload of the page, which renders the button hidden again.
  show() {
    if (!this.hasButtonTarget || !("Notification" in window)) return

    this.buttonTarget.hidden = false
    this.buttonTarget.disabled = Notification.permission === "denied"
    this.buttonTarget.ariaPressed = this.#wished
    this.buttonTarget.textContent = this.#wished ? "Notifies you at the end" :
      Notification.permission === "denied" ? "The browser forbids notifications" : "Notify me at the end"
  }

  #notify() {
    new Notification(this.titleValue, { tag: location.pathname, icon: "/icon.svg" })
  }

  get #wished() {
    return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(WISH) === "yes"
  }
}
