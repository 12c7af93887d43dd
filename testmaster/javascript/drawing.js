const APART = 20, RADIUS = 8.5 // px

// Returns the colours of the style sheets for a canvas. An element that uses a custom property provides its computed
// value.
export function colours(element) {
  const probe = element.appendChild(document.createElement("i"))
  const resolved = value => {
    probe.style.color = value
    return getComputedStyle(probe).color
  }
  const found = {
    muted: resolved("var(--muted)"), rule: resolved("var(--rule)"), ink: resolved("var(--ink)"),
    bad: resolved("var(--bad)"), ok: resolved("var(--ok)"), canvas: resolved("var(--canvas)"),
    sunk: resolved("var(--sunk)"), font: getComputedStyle(element).fontFamily
  }
  const data = Object.fromEntries([ 0, 1, 2, 3, 4, 5, 6 ].map(n => [ n, resolved(`var(--data-${n})`) ]))
  probe.remove()
  return { ...found, of: name => data[name] ?? found[name] }
}

// Draws the limit, the warm-up and cool-down, the seconds without a worker, and the marks: a line with a number above
// it. Numbers that would overlap are moved apart.
export function drawMarks(plot, { marks, limit, steady, neglects, colour }) {
  const { ctx, bbox } = plot, ratio = devicePixelRatio
  const x = second => plot.valToPos(second, "x", true), { min, max } = plot.scales.x
  ctx.save()

  const ends = seconds => seconds.map(second => x(Math.min(Math.max(second, min), max)))
  const band = seconds => {
    const [ left, right ] = ends(seconds)
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  const name = (seconds, words) => {
    const [ left, right ] = ends(seconds)
    if (right - left > ctx.measureText(words).width) ctx.fillText(words, (left + right) / 2, bbox.top + 3 * ratio)
  }
  ctx.globalCompositeOperation = "destination-over"
  ctx.fillStyle = colour.bad
  ctx.globalAlpha = .14
  neglects.forEach(band)
  ctx.globalAlpha = 1
  ctx.fillStyle = colour.sunk
  for (const seconds of [ [ min, steady[0] ], [ steady[1], max ] ]) band(seconds)
  ctx.globalCompositeOperation = "source-over"
  const font = `${11 * ratio}px ${colour.font}`
  Object.assign(ctx, { fillStyle: colour.bad, font, textAlign: "center", textBaseline: "top" })
  neglects.forEach(seconds => name(seconds, "no worker"))
  ctx.lineWidth = 1.25 * ratio

  if (limit != null) {
    const y = plot.valToPos(limit, "y", true)
    if (y >= bbox.top) line(ctx, [ bbox.left, y ], [ bbox.left + bbox.width, y ], colour.bad, [ 5 * ratio, 4 * ratio ])
  }

  const shown = marks.filter(({ at }) => at >= min && at <= max)
  places(shown.map(({ at }) => x(at)), APART * ratio, bbox.left + bbox.width).forEach((place, n) => {
    const { at, kind, number } = shown[n], left = x(at), height = bbox.top - 13 * ratio
    const tone = { death: colour.bad, back: colour.ok }[kind] || colour.muted
    line(ctx, [ left, bbox.top + bbox.height ], [ left, bbox.top ], tone, kind === "death" ? [] : [ ratio, 3 * ratio ])
    line(ctx, [ left, bbox.top ], [ place, height ], tone, [])
    badge(ctx, place, height, number, kind, colour, ratio)
  })
  ctx.restore()
}

// Writes the peak of a line that leaves the chart at the top.
export function drawBeyond(plot, format, colour) {
  const { ctx, bbox } = plot, ratio = devicePixelRatio, [ times, ...lines ] = plot.data
  const highest = Math.max(...lines.flat().filter(value => value != null))
  if (!(highest > plot.scales.y.max)) return

  const peak = times[lines.find(values => values.includes(highest)).indexOf(highest)]
  ctx.save()
  ctx.font = `${11 * ratio}px ${colour.font}`
  ctx.textAlign = "left"
  ctx.textBaseline = "top"
  const text = `up to ${format(highest)}`, { width } = ctx.measureText(text), space = 4 * ratio
  const left = Math.min(plot.valToPos(peak, "x", true) + space, bbox.left + bbox.width - width - space)
  ctx.fillStyle = colour.canvas
  ctx.fillRect(left - space, bbox.top, width + 2 * space, 16 * ratio)
  ctx.fillStyle = colour.muted
  ctx.fillText(text, left, bbox.top + 3 * ratio)
  ctx.restore()
}

// Returns positions at this distance from each other, none beyond the end.
function places(wanted, apart, end) {
  const pushed = wanted.reduce((done, at) => [ ...done, Math.max(at, (done.at(-1) ?? -Infinity) + apart) ], [])
  return pushed.reduceRight((done, at) => [ Math.min(at, (done[0] ?? end + apart) - apart), ...done ], [])
}

function line(ctx, from, to, colour, dash) {
  ctx.beginPath()
  ctx.setLineDash(dash)
  ctx.strokeStyle = colour
  ctx.moveTo(...from)
  ctx.lineTo(...to)
  ctx.stroke()
}

function badge(ctx, x, y, number, kind, colour, ratio) {
  const filled = { death: colour.bad, back: colour.ok }[kind]
  ctx.beginPath()
  ctx.setLineDash([])
  if (kind === "death") octagon(ctx, x, y, 9.9 * ratio)
  else ctx.arc(x, y, RADIUS * ratio, 0, 2 * Math.PI)
  ctx.closePath()
  ctx.fillStyle = filled || colour.canvas
  ctx.fill()
  ctx.strokeStyle = filled || colour.ink
  ctx.stroke()
  ctx.fillStyle = filled ? colour.canvas : colour.ink
  ctx.font = `650 ${11 * ratio}px ${colour.font}`
  ctx.textAlign = "center"
  ctx.textBaseline = "middle"
  ctx.fillText(number, x, y)
}

function octagon(ctx, x, y, radius) {
  for (let n = 0; n < 8; n++) {
    const angle = (n + .5) * Math.PI / 4
    ctx.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle))
  }
}
