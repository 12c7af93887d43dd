import { Turbo } from "@hotwired/turbo-rails"
import { ask } from "confirm"
import "controllers"

Turbo.config.forms.confirm = ask
