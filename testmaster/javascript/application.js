import { Turbo } from "@hotwired/turbo-rails"
import { ask } from "confirm"
import "controllers"

Turbo.config.forms.confirm = ask

// Turbo cancels a fetch when its page is left, which is no error to report.
addEventListener("unhandledrejection", event => { if (event.reason?.name == "AbortError") event.preventDefault() })
