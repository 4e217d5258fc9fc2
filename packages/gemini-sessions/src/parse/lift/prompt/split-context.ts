const CONTEXT_TAGS = ['session_context', 'hook_context']

interface SplitText {
  /** Each span as stored, tags included. */
  contexts: string[]
  rest: string
}

/**
 * Takes the spans that the CLI puts before a prompt (`<session_context>` 0.29+, `<hook_context>`) off a text.
 * Only leading ones: a person may write about these tags.
 */
export function splitContext(text: string): SplitText {
  const contexts: string[] = []
  let rest = text
  for (let span = leadingSpan(rest); span !== null; span = leadingSpan(rest)) {
    contexts.push(span.trim())
    rest = rest.slice(span.length)
  }
  return { contexts, rest }
}

/** The first span with the blanks before it; one of the CLI's (its text begins on a new line) that was cut off takes all. */
function leadingSpan(text: string): string | null {
  const start = text.search(/\S/)
  const tag = CONTEXT_TAGS.find((name) => text.startsWith(`<${name}>`, start))
  if (start === -1 || !tag) return null
  const end = text.indexOf(`</${tag}>`, start)
  if (end !== -1) return text.slice(0, end + tag.length + 3)
  return text.startsWith('\n', start + tag.length + 2) ? text : null
}
