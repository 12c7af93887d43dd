const SIZES = [ "B", "KB", "MB", "GB", "TB" ], PRECISE = { maximumSignificantDigits: 3 }

// Formats 75 s as "1:15", like the pages; hours are shown only if there are some.
export function clock(seconds) {
  const whole = Math.floor(seconds), part = seconds - whole
  const [ hours, minutes, rest ] = [ Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60 ]
  const text = `${hours ? `${hours}:${String(minutes).padStart(2, "0")}` : minutes}:${String(rest).padStart(2, "0")}`
  return part > 0.001 ? `${text}${part.toFixed(1).slice(1)}` : text
}

// Returns a formatter for values of a unit. bare omits the unit beside an axis, as the chart's note contains it.
export function formatter(unit) {
  switch (unit) {
    case "us":      return (value, bare) => `${number(value / 1000)}${bare ? "" : " ms"}`
    case "bytes":   return value => size(value)
    case "bytes/s": return value => `${size(value)}/s`
    case "%":       return value => `${number(value)} %`
    case "/s":      return (value, bare) => `${number(value)}${bare ? "" : " /s"}`
    default:        return value => number(value)
  }
}

function number(value) {
  return value.toLocaleString("en", value >= 1000 ? { maximumFractionDigits: 0 } : PRECISE)
}

function size(bytes) {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), SIZES.length - 1)
  return `${(bytes / 1024 ** power).toLocaleString("en", PRECISE)} ${SIZES[power]}`
}
