// Asks in the page's own dialog before a form is submitted: "Title? What is lost, and what is kept." The dialog's
// button has the label of the button that was pressed.
export function ask(message, form, button) {
  const dialog = document.getElementById("confirm")
  const [ , title, consequences ] = message.match(/^(.*?\?)\s*([^]*)$/) || [ message, message, "" ]
  const [ keep, go ] = dialog.querySelectorAll("button")

  dialog.querySelector("h2").textContent = title
  dialog.querySelector("p").textContent = consequences
  go.textContent = form.dataset.confirmWord || button?.ariaLabel || button?.textContent.trim() || "Do it"
  dialog.returnValue = "keep"
  dialog.showModal()
  keep.focus()

  dispatchEvent(new Event("confirm:asked"))
  return new Promise(resolve => {
    dialog.addEventListener("close", () => {
      if (dialog.returnValue !== "go") dispatchEvent(new Event("confirm:declined"))
      resolve(dialog.returnValue === "go")
    }, { once: true })
  })
}
