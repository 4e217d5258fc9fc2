import type { CostWhy } from '@gemini-dash/api'
import { formatCount, formatDuration, formatPlural, formatTokens, formatUsd } from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { Advice, Reason, SessionReasons } from './facts.ts'
import { mergeReasons, sumUsd } from './find-reasons.ts'

type Line = CostWhy['lines'][number]

/** Why a session and its sub-agents cost what they did. `parts`: those with a price, the session itself first. */
export function explainWhy(
  sessionKey: string,
  parts: readonly WhyPart[],
): Pick<CostWhy, 'total' | 'shown' | 'own' | 'requests' | 'lines'> {
  const own = parts.find(({ key }) => key === sessionKey)?.reasons ?? NOTHING
  if (parts.length === 0) return { total: null, shown: null, own: null, requests: 0, lines: [] }
  const agents = parts.filter(({ key }) => key !== sessionKey)
  const total = sumUsd(parts.map(({ reasons }) => reasons.usd))
  const lines = pickLines([{ key: sessionKey, title: '', reasons: own }, ...agents])
  const shown = shownAmounts(
    lines.map(({ usd }) => usd),
    total,
  )
  return {
    total,
    shown: formatUsd(total),
    own: own === NOTHING ? null : own.usd,
    requests: parts.reduce((sum, { reasons }) => sum + reasons.requests, 0),
    lines: lines.map((line, index): Line => {
      const { usd, requests } = line
      const { amount = '', percent = 0 } = shown[index] ?? {}
      return {
        cause: causeOf(line),
        usd,
        shown: amount,
        percent,
        requests,
        ...wordsOf(line, total),
        advice: line.kind === 'reason' && line.reason.advice !== null ? ADVICE[line.reason.advice] : null,
        place: placeOf(line),
      }
    }),
  }
}

/** Parses what the index stores; null: nothing has a price. */
export function readReasons(written: string): SessionReasons | null {
  return written === '' ? null : (JSON.parse(written) as SessionReasons)
}

const NOTHING: WhyPart['reasons'] = {
  usd: 0,
  requests: 0,
  reasons: [],
  turns: [],
  others: { usd: 0, requests: 0, turns: 0 },
}

/** Two decimals and whole percents, which add up to those of the total. */
export function shownAmounts(
  amounts: readonly number[],
  total: number,
): { amount: string; percent: number }[] {
  const cents = roundShares(
    amounts.map((usd) => usd * 100),
    // as the total is shown
    Number(total.toFixed(2)) * 100,
  )
  const percents = roundShares(
    amounts.map((usd) => (total > 0 ? (usd / total) * 100 : 0)),
    total > 0 ? 100 : 0,
  )
  return amounts.map((usd, index) => ({
    amount: cents[index] === 0 && usd > 0 ? LESS_THAN_A_CENT : formatUsd((cents[index] ?? 0) / 100),
    percent: percents[index] ?? 0,
  }))
}

const LESS_THAN_A_CENT = formatUsd(0.001)

function causeOf(line: WhyLine): Line['cause'] {
  if (line.kind === 'reason') return line.reason.cause
  return line.kind === 'agent' ? 'sub-agent' : line.kind
}

function placeOf(line: WhyLine): Line['place'] {
  switch (line.kind) {
    case 'reason': {
      const { turn, messageKey } = line.reason
      return { sessionKey: line.sessionKey, turn, messageKey }
    }
    case 'turns': {
      const { sessionKey, turn, messageKey } = line
      return { sessionKey, turn, messageKey }
    }
    case 'agent':
      return { sessionKey: line.sessionKey, turn: null, messageKey: null }
    case 'spread':
    case 'other':
      return null
  }
}

/**
 * Integers near these that add up to the rounded sum: the largest remainders are rounded up first, so that the shown amounts add up to the
 * shown total.
 */
function roundShares(amounts: readonly number[], sum: number): number[] {
  const rounded = amounts.map((amount) => Math.floor(amount + 1e-9))
  const left = Math.round(sum + 1e-9) - rounded.reduce((total, each) => total + each, 0)
  const byCut = amounts
    .map((amount, index) => ({ index, cut: amount - (rounded[index] ?? 0) }))
    .sort((one, other) => other.cut - one.cut || one.index - other.index)
  for (const { index } of byCut.slice(0, Math.max(left, 0))) rounded[index] = (rounded[index] ?? 0) + 1
  return rounded
}

/** One session of an answer: the first is the session itself, the others are its sub-agents at every level. */
export interface WhyPart {
  key: string
  title: string
  reasons: SessionReasons
}

interface LineSum {
  usd: number
  requests: number
}

/** A line of the answer, without text. `agentTitle`: null for the session itself. */
type WhyLine = LineSum &
  (
    | { kind: 'reason'; reason: Reason; sessionKey: string; agentTitle: string | null }
    /** `turn` and `messageKey`: of the largest. */
    | { kind: 'turns'; turns: number[]; turn: number; messageKey: string; sessionKey: string }
    | { kind: 'agent'; sessionKey: string; agentTitle: string }
    | { kind: 'spread'; turns: number; agents: number; largestUsd: number }
    | { kind: 'other' }
  )

type ReasonLine = Extract<WhyLine, { kind: 'reason' }>
type TurnsLine = Extract<WhyLine, { kind: 'turns' }>
type Unit = TurnsLine | Extract<WhyLine, { kind: 'agent' }>

const MOST_LINES = 4
const MOST_OTHER = 0.2
/** A reason that explains less does not get a line. */
const MIN_SHARE = 0.02

/** The candidates for lines. */
interface Choice {
  total: number
  reasons: readonly ReasonLine[]
  /** Everything without a reason: turns of the session, and sub-agents; largest first. */
  units: readonly Unit[]
  /** Turns too small to be listed separately. */
  others: SessionReasons['others']
}

/** At most four groups of requests that add up to all of them, the largest first, the remainder last. */
function pickLines(parts: readonly WhyPart[]): WhyLine[] {
  const choice = toChoice(parts)
  const tries: WhyLine[][] = []
  for (let count = Math.min(choice.reasons.length, MOST_LINES); count >= 0; count -= 1) {
    const lines = linesWith(choice, count)
    if (lines.length > MOST_LINES) continue
    tries.push(lines)
    if (otherOf(lines) <= MOST_OTHER * choice.total) break
  }
  const [best] = tries.sort((one, other) => otherOf(one) - otherOf(other))
  return best ?? []
}

function otherOf(lines: readonly WhyLine[]): number {
  return lines.find(({ kind }) => kind === 'other')?.usd ?? 0
}

function toChoice(parts: readonly WhyPart[]): Choice {
  const [own, ...agents] = parts
  const total = sumUsd(parts.map(({ reasons }) => reasons.usd))
  const reasons = parts.flatMap(({ key, title, reasons: of }) =>
    of.reasons.map((reason): ReasonLine => {
      const { usd, requests } = reason
      const agentTitle = key === own?.key ? null : title
      return { kind: 'reason', reason, sessionKey: key, agentTitle, usd, requests }
    }),
  )
  const turns = (own?.reasons.turns ?? []).map(
    (share): Unit => ({ kind: 'turns', turns: [share.turn], sessionKey: own?.key ?? '', ...share }),
  )
  const ofAgents = agents.flatMap(({ key, title, reasons: of }): Unit[] => {
    const sum = addUp([...of.turns, of.others])
    return sum.requests === 0 ? [] : [{ kind: 'agent', sessionKey: key, agentTitle: title, ...sum }]
  })
  return {
    total,
    reasons: mergeSurplus(reasons.sort(largestFirst), total),
    units: [...turns, ...ofAgents].sort(largestFirst),
    others: own?.reasons.others ?? { usd: 0, requests: 0, turns: 0 },
  }
}

/** If there are too many, merges reasons with the same cause, the smallest first. */
function mergeSurplus(sorted: readonly ReasonLine[], total: number): ReasonLine[] {
  const reasons = [...sorted]
  while (reasons.filter(({ usd }) => usd >= MIN_SHARE * total).length >= MOST_LINES) {
    const at = reasons.findLastIndex(({ reason }, index) =>
      reasons.some((other, place) => place < index && other.reason.cause === reason.cause),
    )
    const [smaller] = at < 0 ? [] : reasons.splice(at, 1)
    const into = reasons.findLastIndex(({ reason }) => reason.cause === smaller?.reason.cause)
    const larger = reasons[into]
    if (smaller === undefined || larger === undefined) break
    const reason = mergeReasons(larger.reason, smaller.reason)
    reasons[into] = { ...larger, reason, usd: reason.usd, requests: reason.requests }
    reasons.sort(largestFirst)
  }
  return reasons
}

/** The lines with this many reasons; the others count toward the remainder. */
function linesWith({ total, reasons, units, others }: Choice, count: number): WhyLine[] {
  const listed = reasons.slice(0, count).filter(({ usd }) => usd >= MIN_SHARE * total)
  const unlisted = reasons.filter((reason) => !listed.includes(reason))
  const lines: WhyLine[] = [...listed]
  const left = [...units]
  for (;;) {
    const rest = addUp([...left, others, ...unlisted])
    if (rest.requests === 0) break
    const last = lastLine({ total, rest, left, others, unlisted })
    if (last !== null || left.length === 0 || lines.length >= MOST_LINES - 1) {
      lines.push(last ?? { kind: 'other', ...rest })
      break
    }
    const isLastButOne = lines.length === MOST_LINES - 2
    const unit = isLastButOne ? takeJoined(left, addUp([others, ...unlisted]).usd, total) : left.shift()
    if (unit !== undefined) lines.push(unit)
  }
  return lines.sort(
    (one, other) => Number(one.kind === 'other') - Number(other.kind === 'other') || largestFirst(one, other),
  )
}

/** The largest turns needed to bring the remainder below its limit, as one line; a sub-agent gets its own line. */
function takeJoined(left: Unit[], usdAround: number, total: number): Unit | undefined {
  const [first] = left
  if (first?.kind !== 'turns') return left.shift()
  const taken: TurnsLine[] = []
  for (const unit of left) {
    const rest = usdAround + addUp(left).usd - addUp(taken).usd
    if (rest <= MOST_OTHER * total && taken.length > 0) break
    if (unit.kind === 'turns') taken.push(unit)
  }
  left.splice(0, left.length, ...left.filter((unit) => !taken.some((each) => each === unit)))
  const turns = taken.flatMap((unit) => unit.turns).sort((one, other) => one - other)
  return { ...first, turns, ...addUp(taken) }
}

interface LeftOver extends Pick<Choice, 'total' | 'others'> {
  rest: LineSum
  left: readonly Unit[]
  unlisted: readonly ReasonLine[]
}

/** The last line; null: the remainder is too large for one line, and has to be split. */
function lastLine({ total, rest, left, others, unlisted }: LeftOver): WhyLine | null {
  const [largest] = left
  const isAlone = left.length === 1 && others.requests === 0 && unlisted.length === 0
  if (isAlone && largest !== undefined) return largest
  if (rest.usd <= MOST_OTHER * total) return { kind: 'other', ...rest }
  const agents = left.filter(({ kind }) => kind === 'agent').length
  const turns = left.length - agents + others.turns
  const largestUsd = largest?.usd ?? 0
  const isMostlyUnlisted = sumUsd(unlisted.map(({ usd }) => usd)) > MOST_OTHER * rest.usd
  if (isMostlyUnlisted || !isEven(largestUsd, rest.usd, turns + agents)) return null
  return { kind: 'spread', turns, agents, largestUsd, ...rest }
}

/** Fewer turns can be listed one by one. */
function isEven(largestUsd: number, usd: number, count: number): boolean {
  return count > MOST_LINES && (largestUsd <= (1.25 * usd) / count || largestUsd <= 0.25 * usd)
}

function addUp(sums: readonly LineSum[]): LineSum {
  return {
    usd: sumUsd(sums.map(({ usd }) => usd)),
    requests: sums.reduce((sum, { requests }) => sum + requests, 0),
  }
}

function largestFirst(one: LineSum, other: LineSum): number {
  return other.usd - one.usd
}

// All texts of "Why it cost that": what happened in the past tense, then the facts, then what to do.

const ADVICE: Record<Advice, string> = {
  'print-less': 'Print only what you need (head, grep), or have a script read the file.',
  'name-lines': 'Name the function or the lines you need.',
  'name-files': 'Name the files you need with @.',
  'narrow-search': 'Name the folder or the type of file to search.',
  'attach-less': 'Let Gemini read the lines it needs instead of attaching the file.',
  'save-prompt': 'Save long text as a file and let Gemini read the parts it needs.',
  compress: 'Compress the conversation (/compress) or start a new session earlier.',
  'say-unchanged': 'Tell Gemini that the files have not changed.',
  'finish-before-break': 'Finish a task before the break.',
  'batch-prompts': 'Batch small tasks in one prompt.',
}

interface LineWords {
  text: string
  /** '' if there is nothing to add. */
  detail: string
}

/** `total`: of all lines. */
function wordsOf(line: WhyLine, total: number): LineWords {
  switch (line.kind) {
    case 'reason': {
      const { text, detail } = reasonWords(line.reason)
      return line.agentTitle === null
        ? { text, detail }
        : { text, detail: `${detail} In the sub-agent “${line.agentTitle}”.`.trim() }
    }
    case 'turns':
      return { text: turnsText(line), detail: '' }
    case 'agent':
      return {
        text: `A sub-agent made ${formatPlural(line.requests, 'request')}`,
        detail: line.agentTitle === '' ? '' : `“${line.agentTitle}”`,
      }
    case 'spread':
      return {
        text: `${formatPlural(line.requests, 'request')} were spread evenly over ${spreadOver(line)}`,
        detail: `The largest took ${percent(line.largestUsd / total)}.`,
      }
    case 'other':
      return { text: formatPlural(line.requests, 'other request'), detail: averageOf(line) }
  }
}

function reasonWords(reason: Reason): LineWords {
  const { requests, turn } = reason
  switch (reason.cause) {
    case 'large-result':
      return largeResultWords(reason)
    case 'above-tier':
      return {
        text: `${formatPlural(requests, 'request')} ${wasWere(requests)} above ${formatTokens(reason.aboveInputTokens)} tokens`,
        detail: `The higher rate added ${formatUsd(reason.surchargeUsd)}; the largest input was ${formatTokens(reason.largestInput)} tokens.`,
      }
    case 'repeated-reads':
      return {
        text: `${formatPlural(requests, 'request')} read unchanged files again`,
        detail:
          reason.files === 1
            ? `${reason.path}, ${formatPlural(reason.reads, 'time')}.`
            : `${formatPlural(reason.files, 'file')}, ${formatPlural(reason.reads, 'time')}; most often ${reason.path}.`,
      }
    case 'rewound':
      return {
        text: reason.turns === 1 ? `Turn ${turn} was rewound` : `${reason.turns} turns were rewound`,
        detail: `${formatPlural(requests, 'request')}, billed all the same.`,
      }
    case 'dropped':
      return {
        text: `${formatPlural(requests, 'request')} ${wasWere(requests)} dropped by Gemini CLI`,
        detail: 'After a stop or an error; billed all the same.',
      }
    case 'cold-cache':
      return {
        text: `${formatPlural(requests, 'request')} started with a cold cache`,
        detail: coldCacheDetail(reason),
      }
    case 'small-prompts':
      return {
        text: `${formatPlural(reason.turns, 'short prompt')} were sent in one conversation`,
        detail: `Each of ${formatPlural(requests, 'request')} re-sent ${formatTokens(reason.instructionTokens)} tokens of instructions: ${formatUsd(reason.instructionUsd)}.`,
      }
  }
}

function largeResultWords(reason: Extract<Reason, { cause: 'large-result' }>): LineWords {
  const { results, tokens, turn, requests, aboveRequests, surchargeUsd } = reason
  const name = reason.label === '' ? '' : `: ${reason.label}`
  const place = results === 1 ? `In turn ${turn}${name}` : `The largest in turn ${turn}${name}`
  const above =
    aboveRequests === 0
      ? ''
      : `, ${formatCount(aboveRequests)} at the higher rate of long inputs (${formatUsd(surchargeUsd)} extra)`
  const carried = `${formatPlural(requests, 'request')} carried ${results === 1 ? 'it' : 'them'}${above}`
  return {
    text: `${largeSubject(reason)} put ${formatTokens(tokens)} tokens into the context`,
    detail: `${place}. ${carried}.`,
  }
}

function largeSubject({ results, of, tool }: Extract<Reason, { cause: 'large-result' }>): string {
  if (results > 1) return `${formatCount(results)} large results`
  switch (of) {
    case 'command':
      return 'One command'
    case 'file':
      return 'One file'
    case 'attachment':
      return 'One attached file'
    case 'prompt':
      return 'One prompt'
    case 'tool':
      return tool === '' ? 'One result' : toolLabel(tool)
  }
}

/** Everything before the first prompt is turn 0. */
function turnsText({ turns, requests }: Extract<WhyLine, { kind: 'turns' }>): string {
  const count = formatPlural(requests, 'request')
  const [first, ...more] = turns
  if (more.length === 0)
    return first === 0 ? `${count} came before the first prompt` : `Turn ${first} took ${count}`
  return `Turns ${joinWords(turns.map(String))} took ${count}`
}

function coldCacheDetail(reason: Extract<Reason, { cause: 'cold-cache' }>): string {
  const { breaks, longestBreakMs, breakTurn, waits, compressions, compressionTurn } = reason
  const compressed =
    compressions === 0
      ? []
      : [
          compressions === 1
            ? `after the compression (turn ${compressionTurn})`
            : `after ${compressions} compressions`,
        ]
  const paused =
    breaks === 0
      ? []
      : [
          breaks === 1
            ? `after a break of ${formatDuration(longestBreakMs)} (turn ${breakTurn})`
            : `after ${breaks} breaks, the longest ${formatDuration(longestBreakMs)} (turn ${breakTurn})`,
        ]
  const waited =
    waits === 0
      ? []
      : [waits === 1 ? 'after a long wait within a turn' : `after ${waits} long waits within a turn`]
  return `${capitalized(joinWords([...compressed, ...paused, ...waited]))}.`
}

function spreadOver({ turns, agents }: Extract<WhyLine, { kind: 'spread' }>): string {
  const parts = [
    turns === 0 ? [] : [formatPlural(turns, 'turn')],
    agents === 0 ? [] : [formatPlural(agents, 'sub-agent')],
  ]
  return parts.flat().join(' and ')
}

function averageOf({ usd, requests }: Pick<WhyLine, 'usd' | 'requests'>): string {
  if (requests < 2) return ''
  const average = usd / requests
  return average < 0.01 ? 'Less than one cent each on average.' : `${formatUsd(average)} each on average.`
}

/** `a, b and c` */
function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function wasWere(count: number): string {
  return count === 1 ? 'was' : 'were'
}

function percent(share: number): string {
  return share < 0.005 ? 'less than 1%' : `${Math.round(share * 100)}%`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
