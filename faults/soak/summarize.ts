export interface Sample {
  minute: number
  residentMegabytes: number
  heapMegabytes: number
  homeMegabytes: number
  openFiles: number
  streams: number
  loopDelayMs: number
  pageMs: number
  searchMs: number
}

export type Measure = Exclude<keyof Sample, 'minute'>

export const MEASURES: readonly { name: Measure; label: string }[] = [
  { name: 'residentMegabytes', label: 'memory (MB)' },
  { name: 'heapMegabytes', label: 'heaps of it (MB)' },
  { name: 'homeMegabytes', label: 'sessions on disk (MB)' },
  { name: 'openFiles', label: 'open files' },
  { name: 'streams', label: 'event streams' },
  { name: 'loopDelayMs', label: 'event loop, p99 (ms)' },
  { name: 'pageMs', label: 'list and a page (ms)' },
  { name: 'searchMs', label: 'search (ms)' },
]

/** Warm-up after the start, excluded from the slope. */
const WARM_SHARE = 0.25

/** First and last tenth, maximum, and slope per hour of the last three quarters. */
export function summarize(samples: readonly Sample[]): string {
  const rows = MEASURES.map(({ name, label }) => {
    const values = samples.map((sample) => sample[name])
    const tenth = Math.max(1, Math.floor(values.length / 10))
    const cells = [median(values.slice(0, tenth)), median(values.slice(-tenth)), Math.max(...values)]
    return [label, ...cells.map((value) => value.toFixed(1)), slopeAnHour(samples, name).toFixed(1)]
  })
  const lines = [['', 'at first', 'at last', 'highest', 'slope an hour'], ...rows].map((cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(22) : cell.padStart(14))).join(''),
  )
  return `${lines.join('\n')}\n`
}

/** Least squares. */
export function slopeAnHour(samples: readonly Sample[], name: Measure): number {
  const settled = samples.slice(Math.floor(samples.length * WARM_SHARE))
  const count = settled.length
  const meanX = settled.reduce((sum, { minute }) => sum + minute, 0) / count
  const meanY = settled.reduce((sum, sample) => sum + sample[name], 0) / count
  const spread = settled.reduce((sum, { minute }) => sum + (minute - meanX) ** 2, 0)
  if (spread === 0) return 0
  const together = settled.reduce((sum, sample) => sum + (sample.minute - meanX) * (sample[name] - meanY), 0)
  return (together / spread) * 60
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
