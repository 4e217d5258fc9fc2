export interface PrintBlock {
  /** `head`: who spoke and when; `quote`: a thought; `code`: what stood in a fence, as typed. */
  kind: 'head' | 'text' | 'quote' | 'code'
  text: string
}

const FENCE = /^(`{3,}|~{3,})/
const HEAD = /^## (?:You|Gemini|Tool result|Injected by the CLI|Gemini CLI)(?:,|$)/

/** A Markdown transcript as blocks that paper tells apart. No line is lost: what is none of them is text. */
export function printBlocks(markdown: string): PrintBlock[] {
  const blocks: PrintBlock[] = []
  let open: { kind: PrintBlock['kind']; lines: string[] } | null = null
  let fence: string | null = null
  const close = () => {
    const text = open?.lines.join('\n').replace(/^\n+|\s+$/g, '') ?? ''
    if (open !== null && text !== '') blocks.push({ kind: open.kind, text })
    open = null
  }
  const add = (kind: PrintBlock['kind'], line: string) => {
    if (open?.kind !== kind) {
      close()
      open = { kind, lines: [] }
    }
    open?.lines.push(line)
  }
  for (const line of markdown.split('\n')) {
    const opened: string | undefined = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (line.trimEnd() === fence) {
        close()
        fence = null
      } else add('code', line)
    } else if (opened !== undefined) {
      close()
      fence = opened
    } else if (HEAD.test(line)) {
      close()
      blocks.push({ kind: 'head', text: line.slice('## '.length) })
    } else if (line.startsWith('> ') || line === '>') add('quote', line.slice(2))
    else add('text', line)
  }
  close()
  return blocks
}
