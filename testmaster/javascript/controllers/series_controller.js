import { Controller } from "@hotwired/stimulus"
import { Turbo } from "@hotwired/turbo-rails"
import { clock, formatter } from "figures"
import { colours, drawBeyond, drawMarks } from "drawing"

const HEIGHT = 150, LEFT = 62, INTERVALS = [ 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400 ]
const DWARFED = 4 // times the highest value of the measurement interval
const POWERS = Array.from({ length: 50 }, (_, n) => 2 ** n)

// Draws the charts of a run on one time axis, with a common cross-hair. While the run is active, each reload of the
// page also fetches the newest points. Without JavaScript the charts of the server stay.
export default class extends Controller {
  static targets = [ "charts", "moment", "log", "analyze", "reset", "rest", "choice", "subjects", "trouble" ]
  static values = { url: String, logs: String }

  async connect() {
    this.plots = []
    this.view ||= {}
    this.behind = false
    this.listeners = new AbortController()
    const listen = (target, name, action) => target.addEventListener(name, action, { signal: this.listeners.signal })
    listen(document, "turbo:render", () => this.#update())
    listen(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.#build())
    this.resizing = new ResizeObserver(() => this.#resize())

    const library = await import("uplot")
    this.Plot = library.default
    if (this.listeners.signal.aborted) return
    await this.#load()
    this.resizing.observe(this.chartsTarget)
    if (this.behind) this.#update()
  }

  disconnect() {
    this.listeners.abort()
    this.resizing.disconnect()
    this.#clear()
  }

  // Keys

  press(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }
    if (event.altKey || event.ctrlKey || event.metaKey || !this.shown?.times.length) return

    if (event.key in steps) this.#point(this.#clamp((this.index ?? this.#last) + steps[event.key]))
    else if (event.key === "[" && this.#moment != null) this.#zoom(this.#moment, this.shown.to)
    else if (event.key === "]" && this.#moment != null) this.#zoom(this.shown.from, this.#moment + this.shown.step)
    else if (event.key === "Escape") this.reset()
    else if (event.key === "Enter" && this.#moment != null) this.#toLogs()
    else return

    event.preventDefault()
  }

  // Controls

  reset() {
    this.#show({})
  }

  scale() {
    this.#build()
  }

  choose() {
    const boxes = [ ...this.subjectsTarget.querySelectorAll("input") ], chosen = boxes.filter(box => box.checked)
    boxes.forEach(box => box.disabled = !box.checked && chosen.length >= this.shown.subjects_at_most)
    this.only = chosen.map(box => box.value).join(",")
    this.#show({ ...this.view })
  }

  // Data

  #zoom(from, to) {
    const least = Math.max(2 * this.shown.step, 2)
    const view = { from: Math.max(Math.floor(from), 0), to: Math.min(Math.ceil(to), this.shown.duration) }
    if (to - from >= least) this.#show(view)
  }

  #show(view) {
    this.view = view
    this.index = null
    return this.#load()
  }

  async #load() {
    const view = this.view
    const data = await this.#fetch(view)
    if (!data || view !== this.view) return

    this.shown = data
    this.element.dataset.drawn = "" // gives it a width
    this.#build()
    this.resetTarget.hidden = !("from" in view)
    this.analyzeTarget.hidden = !("from" in view && document.getElementById("analyze"))
    document.dispatchEvent(new CustomEvent("series:window", { detail: "from" in view ? view : null }))
  }

  // One fetch runs at a time: requests that arrive meanwhile are combined into one fetch afterwards.
  async #update() {
    this.behind = true
    if (!this.shown || this.updating) return

    this.updating = true
    while (this.behind && !this.shown.ended) {
      this.behind = false
      await this.#catchUp()
    }
    this.updating = false
  }

  // Only the newest points are fetched; older ones are kept. Figures of the database may apply to some earlier seconds.
  async #catchUp() {
    const view = this.view, { times, step, to } = this.shown
    const from = Math.max((times.at(-1) ?? 0) - Math.max(15, 2 * step), this.shown.from)
    const news = from < to ? await this.#fetch({ from, to, step }) : null
    if (!news || view !== this.view) return
    if (!this.#append(news)) return this.#load()

    this.plots.forEach(({ plot }, n) => plot.setData(this.#columns(this.shown.charts[n]), true))
    this.#tell()
  }

  // Returns whether all charts and lines were known; a new line, mark or band requires drawing everything again.
  #append(news) {
    const data = this.shown
    const differ = items => news[items].length !== data[items].length
    if (news.ended !== data.ended || differ("marks") || differ("neglects")) return false

    const kept = data.times.filter(time => time < (news.times[0] ?? Infinity)).length
    const drawn = chart => data.charts.find(({ key }) => key === chart.key)
    const known = news.charts.every(chart => drawn(chart)?.lines.length >= chart.lines.length)
    if (!known) return false

    data.charts.forEach(chart => {
      const newer = news.charts.find(({ key }) => key === chart.key)
      chart.lines.forEach(line => {
        const values = newer?.lines.find(({ name }) => name === line.name)?.values || news.times.map(() => null)
        line.values = line.values.slice(0, kept).concat(values)
      })
    })
    data.times = data.times.slice(0, kept).concat(news.times)
    return true
  }

  async #fetch(view) {
    try {
      const query = new URLSearchParams(this.only ? { ...view, only: this.only } : view)
      const options = { headers: { Accept: "application/json" }, signal: this.listeners.signal }
      const response = await fetch(`${this.urlValue}?${query}`, options)
      if (!response.ok) throw new Error(`The server responded with ${response.status}`)
      this.troubleTarget.hidden = true
      return await response.json()
    } catch (error) {
      if (error.name === "AbortError") return
      this.troubleTarget.hidden = false
      this.troubleTarget.textContent = `The charts cannot be fetched: ${error.message}. Those shown may be out of date.`
    }
  }

  // Drawing

  #clear() {
    this.plots.forEach(({ plot }) => plot.destroy())
    this.plots = []
    this.chartsTarget.replaceChildren()
  }

  #build() {
    if (!this.shown) return

    this.#clear()
    this.colour = colours(this.element)
    this.logarithmic = this.element.querySelector("[name=log]").checked
    // All frames come first, so that each has its width.
    const figures = this.shown.charts.map((chart, n, charts) => this.#frame(chart, charts[n - 1]))
    this.plots = this.shown.charts.map((chart, n) => this.#draw(chart, figures[n]))
    const { machines, jvms } = this.shown.not_shown
    this.restTarget.hidden = !(machines || jvms)
    this.restTarget.textContent = `Not shown: ${machines} machines and ${jvms} JVMs.`
    this.#offer()
    this.#tell()
  }

  // If only some machines and JVMs are shown, the user selects them.
  #offer() {
    const subjects = Object.entries(this.shown.subjects)
    if (this.choiceTarget.hidden && this.restTarget.hidden) return
    if (this.subjectsTarget.childElementCount === subjects.length) return

    this.choiceTarget.hidden = false
    this.subjectsTarget.replaceChildren(...subjects.map(([ name, shown ]) => {
      const label = document.createElement("label"), box = document.createElement("input")
      Object.assign(box, { type: "checkbox", value: name, checked: shown })
      label.className = "check"
      label.append(box, ` ${name}`)
      return label
    }))
  }

  #frame(chart, before) {
    if (chart.group !== before?.group) this.#head(chart.group)
    const figure = document.createElement("figure")
    figure.className = "chart"
    figure.dataset.key = chart.key
    figure.innerHTML = `<figcaption class="chart__head"><h3></h3><p></p></figcaption><ul class="keys"></ul><div></div>`
    figure.querySelector("h3").textContent = chart.title
    const unit = chart.unit === "us" ? "milliseconds" : ""
    figure.querySelector("p").textContent = [ unit, chart.note ].filter(Boolean).join("; ")
    figure.lastElementChild.role = "img"
    const period = `${clock(this.shown.from)} to ${clock(this.shown.to)} of the load`
    figure.lastElementChild.ariaLabel = `${chart.title}, ${period}; the values are above`
    return this.chartsTarget.appendChild(figure)
  }

  #head(group) {
    const head = document.createElement("h3")
    head.className = "charts__group"
    head.textContent = group
    if (group) this.chartsTarget.appendChild(head)
  }

  #draw(chart, figure) {
    const values = chart.lines.map(line => this.#key(figure.querySelector(".keys"), line))
    const plot = new this.Plot(this.#options(chart, figure), this.#columns(chart), figure.lastElementChild)
    this.#heedClicks(plot)
    return { plot, chart, values }
  }

  // Shows the name of a line, and its value at the cross-hair.
  #key(list, line) {
    const item = document.createElement("li"), value = document.createElement("b")
    item.className = `d${line.colour}`
    const dashes = line.dashed ? "dashed" : ""
    item.innerHTML = `<svg class="${dashes}" viewBox="0 0 12 4" aria-hidden="true"><path d="M0 2H12"/></svg>`
    item.append(`${line.name} `, value)
    list.append(item)
    return value
  }

  #options(chart, figure) {
    const format = formatter(chart.unit), { colour, logarithmic } = this
    const label = value => value == null ? "" : format(value, true)
    const increments = chart.unit.startsWith("bytes") ? { incrs: POWERS } : {}
    const grid = { stroke: colour.rule, width: 1 }
    const axis = { stroke: colour.muted, font: `12px ${colour.font}`, grid, ticks: { show: false } }

    return {
      width: this.#width(figure), height: HEIGHT, legend: { show: false },
      padding: [ this.shown.marks.length ? 24 : 8, 12, 0, 0 ],
      cursor: {
        y: false, sync: { key: this.urlValue, scales: [ "x", null ] },
        drag: { x: true, y: false, setScale: false }, points: { size: 6 }
      },
      scales: {
        x: { time: false, range: () => [ this.shown.from, this.shown.to ] },
        y: logarithmic ? { distr: 3 } : { range: (plot, __, most) => [ 0, this.#top(plot, most, chart.limit) ] }
      },
      axes: [
        { ...axis, incrs: INTERVALS, values: (_, ticks) => ticks.map(clock), size: 26, space: 60 },
        { ...axis, size: LEFT, space: 28, ...increments, values: (_, ticks) => ticks.map(label) }
      ],
      series: [ {}, ...chart.lines.map((line, n) => ({
        stroke: colour.of(line.colour), width: 1.75, dash: line.dashed ? [ 4, 3 ] : undefined, spanGaps: false,
        points: { show: true, size: 4, filter: plot => this.#lonely(plot.data[n + 1]) }
      })) ],
      hooks: {
        setCursor: [ plot => this.#pointed(plot) ], setSelect: [ plot => this.#selected(plot) ],
        draw: [
          plot => drawMarks(plot, { ...this.shown, limit: chart.limit, colour }),
          plot => drawBeyond(plot, format, colour)
        ]
      }
    }
  }

  #top(plot, most, limit) {
    return Math.max(this.#highest(plot, most || 0), limit || 0) * 1.08 || 1
  }

  // The scale follows the measurement interval: a warm-up or cool-down that is several times as high leaves the chart
  // at the top.
  #highest(plot, most) {
    const [ from, to ] = this.shown.steady, [ times, ...lines ] = plot.data
    const counts = n => times[n] >= from && times[n] <= to
    const counted = lines.flatMap(values => values.filter((value, n) => value != null && counts(n)))
    const highest = Math.max(0, ...counted)
    return most > DWARFED * highest && highest > 0 ? highest : most
  }

  // A value between two gaps has no line, so it is drawn as a point.
  #lonely(values) {
    return values.flatMap((value, n) => value != null && values[n - 1] == null && values[n + 1] == null ? [ n ] : [])
  }

  // Zero has no logarithm.
  #columns(chart) {
    const shown = value => this.logarithmic && !(value > 0) ? null : value
    return [ this.shown.times, ...chart.lines.map(line => line.values.map(shown)) ]
  }

  #width(figure) {
    return Math.max(figure.clientWidth, 200)
  }

  #resize() {
    this.plots.forEach(({ plot }) => {
      const width = this.#width(plot.root.closest("figure"))
      if (plot.width !== width) plot.setSize({ width, height: HEIGHT })
    })
  }

  // Cross-hair

  #point(index) {
    this.index = index
    this.plots.forEach(({ plot }) => {
      const left = plot.valToPos(this.shown.times[index], "x"), top = plot.over.clientHeight / 2
      plot.setCursor({ left, top }, false)
    })
    this.#tell()
  }

  #pointed(plot) {
    if (plot.cursor.event?.type === "mouseleave" || plot.cursor.idx === undefined) return
    this.index = plot.cursor.left < 0 ? null : plot.cursor.idx
    this.#tell()
  }

  #selected(plot) {
    const { left, width } = plot.select
    if (width > 4) this.#zoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"))
  }

  // A click selects a time; a drag does not.
  #heedClicks(plot) {
    let from
    plot.over.addEventListener("mousedown", event => from = event.clientX)
    plot.over.addEventListener("click", event => {
      if (Math.abs(event.clientX - from) < 4 && this.#moment != null) this.#toLogs()
    })
  }

  #tell() {
    const at = this.index ?? this.#last
    this.plots.forEach(({ chart, values }, n) => {
      const format = formatter(chart.unit)
      const written = value => value == null ? "–" : format(value)
      this.shown.charts[n].lines.forEach((line, m) => values[m].textContent = written(line.values[at]))
    })
    const moment = this.shown.times[at]
    const which = this.index == null ? "Last values" : "Values"
    this.momentTarget.textContent = moment == null ? "" : `${which} at ${clock(moment)}`
    this.logTarget.href = this.#addressOfLogs
    this.logTarget.hidden = moment == null
  }

  // Returns the last position with a measured load.
  get #last() {
    const known = this.shown.charts[0]?.lines[0].values.findLastIndex(value => value != null) ?? -1
    return known < 0 ? this.shown.times.length - 1 : known
  }

  get #moment() {
    return this.index == null ? null : this.shown.times[this.index]
  }

  get #addressOfLogs() {
    return `${this.logsValue}?${new URLSearchParams({ from: this.#moment ?? this.shown.times[this.#last] ?? 0 })}`
  }

  #toLogs() {
    Turbo.visit(this.#addressOfLogs)
  }

  #clamp(index) {
    return Math.min(Math.max(index, 0), this.shown.times.length - 1)
  }
}
