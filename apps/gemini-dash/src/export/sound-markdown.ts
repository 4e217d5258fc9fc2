/**
 * Markdown of a message that cannot reach beyond itself: a fence that is open is closed, HTML is shown instead of obeyed,
 * and a picture of another host is a link, so that whoever reads the file asks no one for it.
 */
export function soundMarkdown(text: string): string {
  const lines: string[] = []
  let open: Fence | null = null
  for (const line of text.split('\n')) {
    const fence = readFence(line)
    if (open !== null) {
      if (fence !== null && closes(fence, open)) open = null
      lines.push(line)
    } else {
      if (fence !== null) open = fence
      lines.push(fence === null ? outsideOfCode(line) : line)
    }
  }
  if (open !== null) lines.push(open.mark.repeat(open.length))
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
  /** Nothing stands behind it: it can close another. */
  isBare: boolean
}

function readFence(line: string): Fence | null {
  const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  const mark = marks.charAt(0)
  if (mark === '' || (mark === '`' && rest.includes('`'))) return null
  return { mark, length: marks.length, isBare: rest.trim() === '' }
}

function closes({ mark, length, isBare }: Fence, open: Fence): boolean {
  return isBare && mark === open.mark && length >= open.length
}

/** Spans of code keep what they hold; each is looked for once, so a line of many marks costs no more. */
function outsideOfCode(line: string): string {
  return line
    .split(/(`+[^`]*`+)/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : piece.replace(/<(?=[A-Za-z/!?])/g, '&lt;').replaceAll('![', '\\!['),
    )
    .join('')
}
