import type { Part } from 'gemini-sessions'

export interface ReadFile {
  path: string
  text: string
}

const HEAD = /^--- (.+?) ---\n\n?/

/**
 * The files that `read_many_files` put together: each in a part of its own (up to 0.27), or all in one text, where only a
 * head after a blank line begins the next.
 */
export function manyFiles(output: string, parts: readonly Part[]): ReadFile[] {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  const pieces = texts.some((text) => HEAD.test(text)) ? texts : output.split(/\n(?=--- [^\n]+ ---\n\n)/)
  return pieces.flatMap((piece) => {
    const head = HEAD.exec(piece)
    if (head?.[1] === undefined) return []
    return [
      {
        path: head[1],
        text: piece.slice(head[0].length).replace(/\n+(?:--- End of content ---\s*)?$/, '\n'),
      },
    ]
  })
}
