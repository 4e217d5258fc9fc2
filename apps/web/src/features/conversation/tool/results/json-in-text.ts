/** Longer texts are shown as they are: a tree of them would hold the page up. */
const MAX_LENGTH = 200_000

/** The object or list that a text holds, also inside a fence of Markdown; undefined for other texts. */
export function jsonInText(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined
  const body = /^\s*```json\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text
  if (!/^\s*[[{]/.test(body)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
