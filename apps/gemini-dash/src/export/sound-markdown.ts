/**
 * Markdown of a message that cannot reach beyond itself: a fence that is open is closed, HTML is shown instead of obeyed, a
 * link to anything but a web page, a mail address or a file beside it is text, and a picture is a link, so that whoever reads
 * the file asks no one for it. Code stays as it is where every renderer takes it for code.
 */
export function soundMarkdown(text: string): string {
  const lines: string[] = []
  const outside = new Paragraph(lines)
  const place = new Place()
  let open: Fence | null = null
  for (const line of text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')) {
    if (open !== null && place.isInList && indentOf(line) < open.indent && line.trim() !== '') {
      // a list that ends here ends the fence with it, for those who see a list
      lines.push(' '.repeat(open.indent) + open.mark.repeat(open.length))
      open = null
    }
    const fence = readFence(line)
    if (open !== null) {
      if (fence !== null && closes(fence, open)) open = null
      lines.push(line)
      continue
    }
    place.pass(line)
    if (fence === null) outside.add(line, place.isUnclear)
    // nobody shall take it for one
    else if (fence.indent > 0 && place.isUnclear) outside.add(line.replace(/[`~]/, '\\$&'), true)
    else {
      outside.end()
      open = fence
      lines.push(line)
    }
  }
  outside.end()
  if (open !== null) lines.push(' '.repeat(open.indent) + open.mark.repeat(open.length))
  return lines.join('\n')
}

/** A code block whose fence is longer than any in the code. */
export function codeBlock(code: string, language = ''): string {
  let longest = 2
  for (const [ticks] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${code}${code.endsWith('\n') ? '' : '\n'}${ticks}`
}

/** A word of a file in a line of Markdown: nothing in it has a meaning. */
export function plainInMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!&]/g, '\\$&')
}

interface Fence {
  mark: string
  length: number
  /** Spaces before it. */
  indent: number
  /** Nothing stands behind it: it can close another. */
  isBare: boolean
}

function readFence(line: string): Fence | null {
  const [, spaces = '', marks = '', rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  const mark = marks.charAt(0)
  if (mark === '' || (mark === '`' && rest.includes('`'))) return null
  return { mark, length: marks.length, indent: spaces.length, isBare: rest.trim() === '' }
}

function closes({ mark, length, isBare }: Fence, open: Fence): boolean {
  return isBare && mark === open.mark && length >= open.length
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/)
}

/** Where a line may be: in a list or quotation, a fence belongs to it, and renderers do not agree on all of them. */
class Place {
  isInList = false
  /** A fence may be open that is indented deeply, or begins behind the mark of a list. */
  isUnclear = false
  #isAfterBlank = true

  pass(line: string): void {
    const isBlank = line.trim() === ''
    const hasMark = /^\s*(?:[-+*>]|\d{1,9}[.)]|\[\^)/.test(line)
    if (this.#isAfterBlank && !hasMark && /^\S/.test(line)) {
      this.isInList = false
      this.isUnclear = false
    }
    if (hasMark) this.isInList = true
    if (this.isInList && readFence(line) === null && /^[\s>*+\-\d.)]*(?:```|~~~)/.test(line))
      this.isUnclear = true
    this.#isAfterBlank = isBlank
  }
}

/** Lines outside of code blocks up to a blank one: no span of code and no link reaches beyond them. */
class Paragraph {
  readonly #done: string[]
  #lines: string[] = []
  #isUnclear = false

  constructor(done: string[]) {
    this.#done = done
  }

  add(line: string, isUnclear: boolean): void {
    this.#lines.push(line)
    this.#isUnclear ||= isUnclear
    if (line.trim() === '') this.end()
  }

  end(): void {
    if (this.#lines.length === 0) return
    const text = this.#lines.join('\n')
    this.#done.push(this.#isUnclear ? inert(text) : outsideOfSpans(text))
    this.#lines = []
    this.#isUnclear = false
  }
}

/** Spans of code keep what they hold, up to the first backtick of which renderers may think otherwise. */
function outsideOfSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)]
  let sound = ''
  let at = 0
  for (let next = 0; next < runs.length; ) {
    const { 0: ticks, index: start } = runs[next] as RegExpExecArray
    let ending = next + 1
    while (ending < runs.length && runs[ending]?.[0] !== ticks) ending++
    const span = text.slice(start, (runs[ending]?.index ?? 0) + ticks.length)
    // a backtick behind a backslash begins nothing; lines and cells of a table may end a span
    if (ending === runs.length || text[start - 1] === '\\' || /[\n|]/.test(span)) break
    sound += inert(text.slice(at, start)) + span
    at = start + span.length
    next = ending + 1
  }
  return sound + inert(text.slice(at))
}

/** Longer than this no scheme is. */
const MOST = 300
/** What a destination begins with, up to where no scheme can come any more. It may stand in the next line. */
const DESTINATION = new RegExp(
  `\\](?=([(:])([\\s>]{0,${MOST}})(?:<([^\\n/?#>]{0,${MOST}})|([^\\s/?#)]{0,${MOST}})))`,
  'g',
)

/** Nothing of it is code. */
function inert(text: string): string {
  return text
    .replace(DESTINATION, (bracket, _mark, space: string, inAngles?: string, bare?: string) =>
      space.length < MOST && isHarmless(inAngles ?? bare ?? '') ? bracket : `${bracket}\\`,
    )
    .replace(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replace(/(?<!\\)((?:\\\\)*)!\[/g, '$1\\![')
}

/** A web page, a mail address, or no scheme at all, and nothing that hides one. */
function isHarmless(destination: string): boolean {
  return /^(?:https?|mailto):/i.test(destination) || !/[:&\\\p{Cc}]/u.test(destination)
}
