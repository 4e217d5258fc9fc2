// Formats every figure on the page and in the terminal. Without `Intl`, whose first formatted number adds 20 ms to the start.

/** Unknown values are a dash, never 0. */
const UNKNOWN = '-'
const THOUSANDS = /\B(?=(?:\d{3})+(?!\d))/g

interface PartlyPriced {
  usd: number | null
  unpricedCalls: number
}

/** `1,030`; `-` if unknown. */
export function formatCount(count: number | null | undefined): string {
  return count === null || count === undefined ? UNKNOWN : fixed(count, 0)
}

/** `1 session`, `1,030 sessions` */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `512`, `4.5k`, `359k`, `2.69M`; show the exact figure beside it or in the title. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens))
  // 999,950 would become 1000.0k
  if (tokens < 99_950) return `${trimZero((tokens / 1e3).toFixed(1))}k`
  if (tokens < 999_500) return `${(tokens / 1e3).toFixed(0)}k`
  if (tokens < 999_500_000) return `${threeFigures(tokens / 1e6)}M`
  // no session has this many: a broken record, shown as recorded without breaking the page
  return tokens < 1e12 ? `${threeFigures(tokens / 1e9)}B` : tokens.toExponential(1)
}

type CountedUsage = { total: number; calls: number; callsWithoutTokens: number }

/** The tokens of all calls, 0 if another session counts them; null if none is recorded. */
export function recordedTokens(usage: CountedUsage | null): number | null {
  const isUnknown = usage === null || (usage.calls > 0 && usage.calls === usage.callsWithoutTokens)
  return isUnknown ? null : usage.total
}

/** The same, formatted: `943k`. */
export function formatUsage(usage: CountedUsage | null): string {
  const tokens = recordedTokens(usage)
  return tokens === null ? UNKNOWN : formatTokens(tokens)
}

/** `830 B`, `84 KB`, `2.1 MB` */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`
  if (sizeBytes < 999_500) return `${Math.max(1, Math.round(sizeBytes / 1e3))} KB`
  if (sizeBytes < 999_500_000) return `${threeFigures(sizeBytes / 1e6)} MB`
  return `${threeFigures(sizeBytes / 1e9)} GB`
}

/** `$1,204.00`, `$0.21`, `<$0.01` */
export function formatUsd(usd: number): string {
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${fixed(usd, 2)}`
}

/** Three decimals below a dollar, for one session or one answer: `$0.019`, `$1.46`. */
export function formatFineUsd(usd: number): string {
  if (usd > 0 && usd < 0.0005) return '<$0.001'
  return usd > 0 && usd < 0.9995 ? `$${fixed(usd, 3)}` : `$${fixed(usd, 2)}`
}

/** All digits of a price, at least two: `$0.00135`, `$1.20`. Prices are multiples of 10⁻¹¹ USD. */
export function formatExactUsd(usd: number): string {
  return `$${fixed(usd, 11).replace(/0{1,9}$/, '')}`
}

/** Two decimals, for lists: `$1.46`, `<$0.01`. `-` if no price is known, `+` if there are also calls without a price. */
export function formatCost(cost: PartlyPriced | null): string {
  return writeCost(cost, formatUsd)
}

/** The same with three decimals below a dollar. */
export function formatFineCost(cost: PartlyPriced | null): string {
  return writeCost(cost, formatFineUsd)
}

/** The same for terminal columns: four decimals below a dollar, `$0.0213`. */
export function formatColumnCost(cost: PartlyPriced | null): string {
  return writeCost(cost, (usd) => `$${usd.toFixed(usd !== 0 && usd < 1 ? 4 : 2)}`)
}

/** The complete cost, for titles and screen readers. */
export function describeCost(cost: PartlyPriced | null): string {
  if (cost === null || (cost.usd === null && cost.unpricedCalls === 0)) return 'No cost recorded'
  const unpriced = `${formatPlural(cost.unpricedCalls, 'call')} of unknown price`
  if (cost.usd === null) return unpriced
  const price = `$${cost.usd.toFixed(6)} at list price`
  return cost.unpricedCalls > 0 ? `${price}, and ${unpriced}` : price
}

/** `3 sessions are copies of others; 41 of their requests are counted there.` */
export function describeCopiedSessions(copied: readonly { requests: number }[]): string {
  const requests = copied.reduce((sum, each) => sum + each.requests, 0)
  const isOne = copied.length === 1
  const sessions = `${formatPlural(copied.length, 'session')} ${isOne ? 'is a copy of another' : 'are copies of others'}`
  return `${sessions}; ${formatCount(requests)} of ${isOne ? 'its' : 'their'} requests ${requests === 1 ? 'is' : 'are'} counted there.`
}

/** `71%`, `3.1%`, `< 0.1%` for a ratio between 0 and 1. */
export function formatPercent(ratio: number): string {
  const percent = ratio * 100
  if (percent > 0 && percent < 0.05) return '< 0.1%'
  return `${percent >= 9.95 ? percent.toFixed(0) : trimZero(percent.toFixed(1))}%`
}

/** `0.2 s`, `48 s`, `1 min 48 s`, `2 h 5 min`, `3 days` */
export function formatDuration(durationMs: number): string {
  const seconds = durationMs / 1_000
  if (seconds < 0.05) return '0 s'
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${seconds.toFixed(0)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 10) return joinUnits(minutes, 'min', Math.round(seconds) % 60, 's')
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  return `${Math.round(minutes / 1_440)} days`
}

/** `52 s`, `6 min`, `2 h 47`, for columns. */
export function formatShortDuration(durationMs: number): string {
  const seconds = durationMs / 1_000
  if (seconds < 59.5) return `${seconds.toFixed(0)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 60) return `${minutes} min`
  if (minutes >= 48 * 60) return `${Math.round(minutes / 1_440)} days`
  const rest = minutes % 60
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest}`
}

/** `≤ 4.2 s`: an upper bound, so it is never rounded down. */
export function formatAtMost(durationMs: number): string {
  if (durationMs < 100) return '< 0.1 s'
  const step = durationMs < 9_950 ? 100 : 1_000
  return `≤ ${formatDuration(Math.ceil(durationMs / step) * step)}`
}

/** `2026-11-21 20:31` in local time, for columns; `-` for no time. The page formats times as its reader chose. */
export function formatColumnTime(iso: string | null): string {
  if (iso === null) return UNKNOWN
  const time = new Date(iso)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

/** `20:31:04`, or `20:31` to the minute, like `formatColumnTime`. */
export function formatColumnClock(iso: string, precision: 'minutes' | 'seconds' = 'seconds'): string {
  const time = new Date(iso)
  const parts = [time.getHours(), time.getMinutes(), ...(precision === 'seconds' ? [time.getSeconds()] : [])]
  return parts.map((value) => String(value).padStart(2, '0')).join(':')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Nov 21`, or `Nov 2025` if not in the year of `nowMs`; local time. */
export function formatColumnDay(iso: string | null, nowMs: number): string {
  if (iso === null) return UNKNOWN
  const time = new Date(iso)
  const month = MONTHS[time.getMonth()] ?? UNKNOWN
  const year = time.getFullYear()
  return year === new Date(nowMs).getFullYear() ? `${month} ${time.getDate()}` : `${month} ${year}`
}

/** `Nov 21, 19:17`, or `Nov 21, 2025` for another year. */
export function formatColumnMoment(iso: string | null, nowMs: number): string {
  if (iso === null) return UNKNOWN
  const time = new Date(iso)
  const day = `${MONTHS[time.getMonth()] ?? UNKNOWN} ${time.getDate()}`
  const year = time.getFullYear()
  return `${day}, ${year === new Date(nowMs).getFullYear() ? formatColumnClock(iso, 'minutes') : year}`
}

function writeCost(cost: PartlyPriced | null, write: (usd: number) => string): string {
  if (cost === null || cost.usd === null) return UNKNOWN
  // `+`: some of its calls have no known price.
  return `${write(cost.usd)}${cost.unpricedCalls > 0 ? '+' : ''}`
}

/** With thousands separators in the integer part only. */
function fixed(value: number, decimals: number): string {
  const [whole = '', fraction] = value.toFixed(decimals).split('.')
  const grouped = whole.replace(THOUSANDS, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** `4.18`, `41.8`, `418`; no trailing zeros. */
function threeFigures(value: number): string {
  return trimZero(value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0))
}

/** `2.0` as `2`, but `1.40` as `1.4` and `20` as `20`. */
function trimZero(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
