import { Controller } from "@hotwired/stimulus"

// Widens a bar of a flame graph to the whole width when it is clicked, and back again.
export default class extends Controller {
  static targets = [ "back" ]

  connect() {
    this.bars = [ ...this.element.querySelectorAll("svg.flame > svg") ].map(svg => ({
      svg, x: parseFloat(svg.getAttribute("x")), width: parseFloat(svg.getAttribute("width")), y: svg.y.baseVal.value
    }))
  }

  zoom(event) {
    const bar = this.bars.find(({ svg }) => svg.contains(event.target))
    if (bar) this.show(bar)
  }

  back() {
    this.show(this.bars[0])
  }

  show(chosen) {
    const scale = 100 / chosen.width
    for (const { svg, x, width, y } of this.bars) {
      const above = y < chosen.y && x <= chosen.x + 1e-6 && x + width >= chosen.x + chosen.width - 1e-6
      const within = y >= chosen.y && x >= chosen.x - 1e-6 && x + width <= chosen.x + chosen.width + 1e-6
      svg.setAttribute("display", above || within ? "inline" : "none")
      svg.setAttribute("x", above ? "0%" : `${(x - chosen.x) * scale}%`)
      svg.setAttribute("width", above ? "100%" : `${width * scale}%`)
    }
    this.backTarget.hidden = chosen === this.bars[0]
  }
}
