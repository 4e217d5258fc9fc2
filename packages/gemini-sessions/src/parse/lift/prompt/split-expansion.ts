import type { Message } from '../../../model/message.ts'
import { isRawObject } from '../../../raw/raw-object.ts'

type Attachments = Message['attachments']

const START = '--- Content from referenced files ---'
const END = '--- End of content ---'
/** Behind the marker stands a file's header or, for a picture, its kind alone. */
const EXPANSION = /(^|\n)--- Content from referenced files ---(\n+Content from @|<[\w.+-]+\/[\w.+-]+>)/

/**
 * Takes the expansion of `@file` off a prompt's parts. Up to 0.27 it stands behind the prompt in one string,
 * since 0.28 in parts of its own. A prompt may itself quote the markers: only a start on a new line with an
 * expansion behind it counts.
 */
export function splitExpansion(parts: readonly unknown[]): { said: unknown[]; attachments: Attachments } {
  const start = parts.findIndex((part, index) => isStart(part, parts[index + 1]))
  if (start !== -1) return splitParts(parts, start)
  const said: unknown[] = []
  const attachments: Attachments = []
  for (const part of parts) {
    const text = textOf(part)
    const at = text === null ? -1 : text.search(EXPANSION)
    if (text === null || at === -1) said.push(part)
    else {
      if (at > 0) said.push({ text: text.slice(0, at) })
      const { files, rest } = splitFiles(text.slice(text.indexOf(START, at) + START.length))
      for (const file of files) attachments.push(file)
      if (rest.trim() !== '') said.push({ text: rest.trimStart() })
    }
  }
  return { said, attachments }
}

/** A file's header follows the marker or, where only pictures were referenced, the first of them. */
function isStart(part: unknown, next: unknown): boolean {
  if (textOf(part)?.trim() !== START) return false
  return textOf(next)?.trimStart().startsWith('Content from @') ?? isRawObject(next)
}

/** Headers and contents alternate; pictures that were referenced stay with what was said. */
function splitParts(parts: readonly unknown[], start: number) {
  const said = parts.slice(0, start)
  const attachments: Attachments = []
  let isInside = true
  for (const part of parts.slice(start + 1)) {
    const text = textOf(part)
    if (text === null || !isInside) said.push(part)
    else if (text.trimStart().startsWith(END)) {
      isInside = false
      // What a person typed behind the expansion may stand on the marker's own line.
      const rest = text.trimStart().slice(END.length)
      if (rest.trim() !== '') said.push({ text: rest.trimStart() })
    } else {
      const header = /^\s*Content from @(.+):\s*$/.exec(text)
      const current = attachments.at(-1)
      if (header) attachments.push({ path: header[1] ?? '', text: '' })
      else if (current) current.text += text
      else attachments.push({ path: '', text })
    }
  }
  return { said, attachments }
}

function splitFiles(expansion: string): { files: Attachments; rest: string } {
  const end = expansion.lastIndexOf(`\n${END}`)
  const body = end === -1 ? expansion : expansion.slice(0, end)
  const rest = end === -1 ? '' : expansion.slice(end + 1 + END.length)
  const pieces = body.split(/(?:^|\n)Content from @(.+):\n/)
  const attachments: Attachments = []
  const [pictures = ''] = pieces
  if (pictures.trim() !== '') attachments.push({ path: '', text: pictures.trim() })
  for (let index = 1; index < pieces.length; index += 2) {
    attachments.push({ path: pieces[index] ?? '', text: pieces[index + 1] ?? '' })
  }
  return { files: attachments, rest }
}

function textOf(part: unknown): string | null {
  return isRawObject(part) && typeof part.text === 'string' ? part.text : null
}
