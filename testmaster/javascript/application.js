import { Turbo } from "@hotwired/turbo-rails"
import { ask } from "confirm"
import "controllers"

Turbo.config.forms.confirm = ask

// Turbo gives up what it was fetching for a page that is left: that is no mistake to report.
addEventListener("unhandledrejection", event => { if (event.reason?.name == "AbortError") event.preventDefault() })
