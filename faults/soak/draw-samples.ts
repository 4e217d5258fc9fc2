import { MEASURES, type Measure, type Sample } from './summarize.ts'

const WIDTH = 900
const PANEL_HEIGHT = 120
const LEFT = 160
const MARGIN = 20

/** An SVG with one panel per measure, from 0 to its maximum, on the same time axis. */
export function drawSamples(samples: readonly Sample[]): string {
  const height = MEASURES.length * PANEL_HEIGHT + MARGIN * 2
  const last = samples.at(-1)?.minute ?? 0
  const panels = MEASURES.map(({ name, label }, place) =>
    panel(samples, name, label, MARGIN + place * PANEL_HEIGHT),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...panels,
    `<text x="${WIDTH - MARGIN}" y="${height - 4}" text-anchor="end">${last.toFixed(1)} minutes</text>`,
    '</svg>\n',
  ].join('\n')
}

function panel(samples: readonly Sample[], name: Measure, label: string, top: number): string {
  const highest = Math.max(...samples.map((sample) => sample[name]), 1)
  const last = samples.at(-1)?.minute || 1
  const floor = top + PANEL_HEIGHT - MARGIN
  const points = samples.map((sample) => {
    const x = LEFT + (sample.minute / last) * (WIDTH - LEFT - MARGIN)
    const y = floor - (sample[name] / highest) * (PANEL_HEIGHT - 2 * MARGIN)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return [
    `<text x="8" y="${top + PANEL_HEIGHT / 2}">${label}</text>`,
    `<text x="${LEFT - 6}" y="${top + MARGIN + 4}" text-anchor="end">${highest.toFixed(0)}</text>`,
    `<text x="${LEFT - 6}" y="${floor}" text-anchor="end">0</text>`,
    `<line x1="${LEFT}" y1="${floor}" x2="${WIDTH - MARGIN}" y2="${floor}" stroke="#999"/>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="#06c"/>`,
  ].join('\n')
}
