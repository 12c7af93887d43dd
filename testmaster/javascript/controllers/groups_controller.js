import { Controller } from "@hotwired/stimulus"

// Adds, copies and removes the broker groups or client groups of a definition. Input in other groups stays.
export default class extends Controller {
  static targets = [ "list", "template", "group" ]

  add() {
    this.#insert(this.templateTarget.content.firstElementChild.cloneNode(true), this.listTarget.lastElementChild, "NEW")
  }

  duplicate(event) {
    const original = this.#groupOf(event)
    const copy = original.cloneNode(true)
    const [ , index ] = original.querySelector("[name*='_attributes]']").name.match(/_attributes\]\[(\w+)\]/)

    copy.querySelectorAll("select").forEach((select, n) => select.value = original.querySelectorAll("select")[n].value)
    this.#insert(copy, original, index)
  }

  remove(event) {
    const group = this.#groupOf(event)
    const dialog = document.getElementById("remove")

    dialog.returnValue = "keep"
    dialog.addEventListener("close", () => dialog.returnValue === "remove" && this.#remove(group), { once: true })
    dialog.showModal()
  }

  #insert(group, after, index) {
    const fresh = String(Date.now())

    for (const element of group.querySelectorAll("[name], [id], [for], [aria-describedby]")) {
      for (const attribute of [ "name", "id", "for", "aria-describedby" ]) {
        const value = element.getAttribute(attribute)
        if (value) element.setAttribute(attribute, this.#renumbered(value, index, fresh))
      }
    }
    after ? after.after(group) : this.listTarget.append(group)
    this.#changed()
    group.querySelector("input:not([type=hidden])").focus()
  }

  #renumbered(value, index, fresh) {
    return value.replace(`_attributes][${index}]`, `_attributes][${fresh}]`)
      .replace(`_attributes_${index}_`, `_attributes_${fresh}_`)
  }

  #remove(group) {
    group.remove()
    this.#changed()
  }

  #changed() {
    this.element.dispatchEvent(new Event("input", { bubbles: true }))
  }

  #groupOf(event) {
    return this.groupTargets.find(group => group.contains(event.target))
  }
}
