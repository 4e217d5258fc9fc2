import type { SearchField, SearchHit } from '@gemini-dash/api'
import { MODEL_NAMES } from '@gemini-dash/api/source-names'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { SessionProgram } from 'gemini-sessions'
import {
  Diamond,
  Heading,
  Info,
  Lightbulb,
  type LucideIcon,
  Paperclip,
  SquareTerminal,
  UserRound,
  Wrench,
} from 'lucide-react'
import { SEARCH_FIELD_LABELS } from '../lib/page-searches.ts'

type Voice = { label: string; icon: LucideIcon; ink: 'user' | 'model' | 'thought' | 'tool' | 'plain' }

/** Speaker of each field: name, icon and color, as in a conversation. */
export const searchVoices: Record<SearchField, Voice> = {
  title: { label: SEARCH_FIELD_LABELS.title, icon: Heading, ink: 'plain' },
  prompt: { label: SEARCH_FIELD_LABELS.prompt, icon: UserRound, ink: 'user' },
  answer: { label: SEARCH_FIELD_LABELS.answer, icon: Diamond, ink: 'model' },
  thought: { label: SEARCH_FIELD_LABELS.thought, icon: Lightbulb, ink: 'thought' },
  'tool-args': { label: SEARCH_FIELD_LABELS['tool-args'], icon: Wrench, ink: 'tool' },
  'tool-output': { label: SEARCH_FIELD_LABELS['tool-output'], icon: Wrench, ink: 'tool' },
  notice: { label: SEARCH_FIELD_LABELS.notice, icon: Info, ink: 'plain' },
  attachment: { label: SEARCH_FIELD_LABELS.attachment, icon: Paperclip, ink: 'user' },
}

/** The speaker of a hit: a tool is called by its name, a model by that of the program that recorded it. */
export function voiceOf(hit: SearchHit, program: SessionProgram = 'gemini-cli'): Voice {
  const voice = searchVoices[hit.field]
  if (hit.field === 'answer') return { ...voice, label: MODEL_NAMES[program] }
  if (voice.ink !== 'tool' || hit.toolName === null) return voice
  const icon = hit.toolName === 'run_shell_command' ? SquareTerminal : voice.icon
  return { ...voice, icon, label: toolLabel(hit.toolName) }
}

interface Snippet {
  snippet: string
  ranges: [number, number][]
}

/** Markdown syntax that is meaningless in one line. The first capture group, if any, is kept. */
const MARKS = [
  /^ {0,3}(?:#{1,6}|>|[-*+]) +/gm,
  /^ {0,3}`{3,}[^\n`]*(?:\n|$)/gm,
  /(?<![\w*])(\*\*|\*|~~)(?=[^\s*~])|(?<=[^\s*~])(\*\*|\*|~~)(?![\w*])/g,
  /(?<!\w)__?(?=[^\s_])|(?<=[^\s_])__?(?!\w)/g,
  /`+/g,
  /\[(?=[^\]\n]*\]\([^)\n]*\))/g,
  /(?<=\[[^\]\n]*)\]\([^)\n]*\)/g,
]

/** Prose as plain text in one line; matches are left unchanged. */
export function plainSnippet(snippet: string, ranges: readonly [number, number][]): Snippet {
  const isLeftOut = new Uint8Array(snippet.length)
  for (const mark of MARKS)
    for (const { index, 0: text } of snippet.matchAll(mark)) isLeftOut.fill(1, index, index + text.length)
  for (const [start, end] of ranges) isLeftOut.fill(0, start, end)
  // maps offsets in the source to offsets in the result
  const places: number[] = []
  let shown = ''
  for (let at = 0; at < snippet.length; at += 1) {
    places.push(shown.length)
    const letter = snippet[at] ?? ''
    if (isLeftOut[at] === 1 || (/\s/.test(letter) && /(?:^|\s)$/.test(shown))) continue
    shown += /\s/.test(letter) ? ' ' : letter
  }
  places.push(shown.length)
  const placeOf = (at: number) => places[Math.min(at, snippet.length)] ?? shown.length
  return {
    snippet: shown,
    ranges: ranges.map(([start, end]): [number, number] => [placeOf(start), placeOf(end)]),
  }
}

type SnippetPiece = { start: number; text: string; isHit: boolean }

/** Splits a snippet at its ranges (UTF-16 offsets, end exclusive). Overlapping and out-of-range ranges are harmless. */
export function snippetPieces(snippet: string, ranges: readonly [number, number][]): SnippetPiece[] {
  const pieces: SnippetPiece[] = []
  let at = 0
  const push = (end: number, isHit: boolean) => {
    if (end > at) pieces.push({ start: at, text: snippet.slice(at, end), isHit })
    at = Math.max(at, end)
  }
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    push(Math.min(start, snippet.length), false)
    push(Math.min(end, snippet.length), true)
  }
  push(snippet.length, false)
  return pieces
}
