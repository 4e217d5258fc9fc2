import type { Message } from 'gemini-sessions'

/** What was said, as Markdown: the text, and a line for each call. */
export function messageMarkdown(message: Message): string {
  const texts = message.content.flatMap((part) => {
    if (part.kind === 'text') return [part.text]
    if (part.kind === 'code') return [fence(part.code, part.language ?? '')]
    return []
  })
  const calls = message.toolCalls.map((call) => `- \`${call.name}\` ${JSON.stringify(call.args)}`)
  return [...texts, calls.join('\n')].filter((text) => text.trim() !== '').join('\n\n')
}

/** A fence longer than any in the code. */
function fence(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map((match) => match[0].length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${code}\n${ticks}`
}
