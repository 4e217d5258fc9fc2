import type { Message, Origin } from '../../model/message.ts'
import { isRawObject } from '../../raw.ts'
import { flattenContent, plainText } from './parts.ts'
import { splitToolTurn } from './responses.ts'

/** Beginnings of `user` texts written by the CLI itself. */
const INJECTED_OPENINGS = [
  '<state_snapshot>', // the summary left by /compress (0.44+)
  '- **Workspace Directories:**\n', // after /dir add
  'This is the Gemini CLI. We are setting up the context', // before the tags of 0.29
  'System: Please continue.', // the CLI asks itself to continue
  'System: Potential loop detected',
  '[System: You previously ',
  "Here is the user's editor context", // from the editor's companion, in restored histories (0.44+)
  "Here is a summary of changes in the user's editor context",
]

/** Who actually made a message. */
export function toOrigin(type: unknown, content: unknown): Origin {
  if (type === 'user') return toUserOrigin(content)
  if (type === 'gemini') return isCliAnswer(content) ? 'injected' : 'model'
  // Not used by the CLI, but by other tools that write this format.
  if (type === 'human') return 'human'
  if (type === 'model' || type === 'assistant') return 'model'
  return 'cli'
}

function toUserOrigin(content: unknown): Origin {
  const parts = flattenContent(content)
  const { answers, rest } = splitToolTurn(parts)
  const spoken = plainText(answers.length > 0 ? rest : content)
  if (answers.length > 0 && spoken.trim() === '') return 'tool-result'
  const text = splitContext(spoken).rest.trim()
  // Up to 0.27 results with extra parts were flattened to this text.
  if (text.startsWith('[Function Response: ')) return 'tool-result'
  if (text === '') return parts.some(isMedia) ? 'human' : 'injected'
  const isInjected = INJECTED_OPENINGS.some((opening) => text.startsWith(opening)) || isSubagentPrompt(text)
  return isInjected ? 'injected' : 'human'
}

function isMedia(part: unknown): boolean {
  return isRawObject(part) && (isRawObject(part.inlineData) || isRawObject(part.fileData))
}

/** Answers in the model's name written by the CLI: the counterpart of a snapshot, and that of an image (0.44+). */
function isCliAnswer(content: unknown): boolean {
  if (typeof content === 'string') return false
  const parts = flattenContent(content)
  const [part] = parts
  if (parts.length !== 1 || !isRawObject(part) || typeof part.text !== 'string') return false
  return part.thought === true
    ? part.text.startsWith('Binary content received.')
    : part.text === 'Got it. Thanks for the additional context!'
}

const OPENINGS = [
  'Your task is to do a deep investigation of the codebase',
  'Your task is to answer the following question about Gemini CLI',
]

/** Whether the text starts a run of a built-in sub-agent (0.9+): written by the CLI, not typed. */
export function isSubagentPrompt(text: string): boolean {
  return OPENINGS.some((opening) => text.trimStart().startsWith(opening))
}

const CONTEXT_TAGS = ['session_context', 'hook_context']

interface SplitText {
  /** Each span as stored, including tags. */
  contexts: string[]
  rest: string
}

/**
 * Removes the spans that the CLI puts before a prompt (`<session_context>` 0.29+, `<hook_context>`) from a text. Only leading ones: a user
 * may write about these tags.
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

/** The first span with the whitespace before it; a truncated one from the CLI (its text begins on a new line) extends to the end. */
function leadingSpan(text: string): string | null {
  const start = text.search(/\S/)
  const tag = CONTEXT_TAGS.find((name) => text.startsWith(`<${name}>`, start))
  if (start === -1 || !tag) return null
  const end = text.indexOf(`</${tag}>`, start)
  if (end !== -1) return text.slice(0, end + tag.length + 3)
  return text.startsWith('\n', start + tag.length + 2) ? text : null
}

type Attachments = Message['attachments']

interface SplitPrompt {
  /** Stored parts typed by the user. */
  said: unknown[]
  attachments: Attachments
}

/**
 * Separates what the user typed from what the CLI added: injected context, expanded `@file`s, and the long form of a custom command
 * (`displayContent`, 0.28+, then has the typed text).
 */
export function splitPrompt(content: unknown, displayContent: unknown): SplitPrompt {
  const attachments: Attachments = []
  let said: unknown[] = []
  for (const part of flattenContent(content)) {
    if (!isText(part)) said.push(part)
    else {
      const { contexts, rest } = splitContext(part.text)
      for (const text of contexts) attachments.push({ path: '', text })
      // Whitespace between a context and the prompt is not part of either.
      if (contexts.length === 0) said.push(part)
      else if (rest.trim() !== '') said.push({ text: rest.trimStart() })
    }
  }
  const expansion = splitExpansion(said)
  said = expansion.said
  for (const attachment of expansion.attachments) attachments.push(attachment)
  const typed = flattenContent(displayContent)
  const typedText = plainText(displayContent)
  if (typedText.trim() === '') return { said, attachments }
  const sentText = plainText(said)
  if (sentText.trim() !== '' && sentText.trim() !== typedText.trim()) {
    attachments.push({ path: '', text: sentText })
  }
  return { said: [...typed, ...said.filter((part) => !isText(part))], attachments }
}

function isText(part: unknown): part is { text: string } {
  return isRawObject(part) && typeof part.text === 'string' && part.thought !== true
}

const START = '--- Content from referenced files ---'
const END = '--- End of content ---'
/** The marker is followed by a file's header or, for an image, only by its type. */
const EXPANSION = /(^|\n)--- Content from referenced files ---(\n+Content from @|<[\w.+-]+\/[\w.+-]+>)/

/**
 * Removes the expansion of `@file` from a prompt's parts. Up to 0.27 it follows the prompt in one string, since 0.28 in separate parts. A
 * prompt may itself quote the markers: only a start on a new line followed by an expansion counts.
 */
function splitExpansion(parts: readonly unknown[]): { said: unknown[]; attachments: Attachments } {
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

/** The marker is followed by a file's header or, if only images were referenced, by the first of them. */
function isStart(part: unknown, next: unknown): boolean {
  if (textOf(part)?.trim() !== START) return false
  return textOf(next)?.trimStart().startsWith('Content from @') ?? isRawObject(next)
}

/** Headers and contents alternate; referenced images stay with the prompt. */
function splitParts(parts: readonly unknown[], start: number) {
  const said = parts.slice(0, start)
  const attachments: Attachments = []
  let isInside = true
  for (const part of parts.slice(start + 1)) {
    const text = textOf(part)
    if (text === null || !isInside) said.push(part)
    else if (text.trimStart().startsWith(END)) {
      isInside = false
      // Text typed after the expansion may be on the marker's own line.
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
