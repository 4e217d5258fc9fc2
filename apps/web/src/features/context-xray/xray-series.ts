import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ContextBlock, ContextKind, ContextXray } from 'gemini-sessions'

/** How an area is drawn; tools by rank, `tools` the rest of them. */
export type Tone =
  | 'baseline'
  | 'session-context'
  | 'prompt'
  | 'file'
  | 'tool-1'
  | 'tool-2'
  | 'tool-3'
  | 'tools'
  | 'answer'
  | 'unrecorded'

/** One area of the drawing: one or several blocks. */
export interface XraySeries {
  tone: Tone
  name: string
  /** Positions in the list of blocks. */
  blocks: number[]
}

const TOOL_TONES = ['tool-1', 'tool-2', 'tool-3'] as const
const TONES: Record<Exclude<ContextKind, 'tool-result'>, Tone> = {
  baseline: 'baseline',
  'session-context': 'session-context',
  prompt: 'prompt',
  file: 'file',
  answer: 'answer',
  'tool-call': 'answer',
  unrecorded: 'unrecorded',
}
const KIND_WORDS: Record<ContextKind, string> = {
  baseline: 'System and tools',
  'session-context': 'Session context',
  prompt: 'Prompts',
  file: 'Attached files',
  'tool-result': 'Tool results',
  'tool-call': 'Tool calls',
  answer: 'Answers',
  unrecorded: 'Not recorded',
}
/** From the ground up. */
const ORDER: [Tone, string][] = [
  ['baseline', KIND_WORDS.baseline],
  ['session-context', KIND_WORDS['session-context']],
  ['prompt', KIND_WORDS.prompt],
  ['file', KIND_WORDS.file],
  ['tool-1', ''],
  ['tool-2', ''],
  ['tool-3', ''],
  ['tools', 'Results of other tools'],
  ['answer', 'Answers and calls'],
  ['unrecorded', KIND_WORDS.unrecorded],
]

/** Which area each block belongs to: the tools that brought most have one of their own. */
export function blockTones({ blocks, calls }: Pick<ContextXray, 'blocks' | 'calls'>): Tone[] {
  const sums = blockSums(blocks, calls)
  const ranked = [...blocks.keys()]
    .filter((block) => blocks[block]?.kind === 'tool-result')
    .sort((one, other) => (sums[other] ?? 0) - (sums[one] ?? 0))
  return blocks.map(({ kind }, block) => {
    if (kind !== 'tool-result') return TONES[kind]
    return TOOL_TONES[ranked.indexOf(block)] ?? 'tools'
  })
}

/** The areas that any call has something of, from the ground up. */
export function xraySeries(
  { blocks, calls }: Pick<ContextXray, 'blocks' | 'calls'>,
  tones: readonly Tone[],
): XraySeries[] {
  const sums = blockSums(blocks, calls)
  return ORDER.flatMap(([tone, name]) => {
    const own = [...blocks.keys()].filter((block) => tones[block] === tone && (sums[block] ?? 0) > 0)
    const [first] = own
    if (first === undefined) return []
    return [{ tone, name: name || blockName(blocks[first]), blocks: own }]
  })
}

function blockSums(blocks: readonly ContextBlock[], calls: ContextXray['calls']): number[] {
  return blocks.map((_, block) => calls.reduce((sum, { tokens }) => sum + (tokens[block] ?? 0), 0))
}

/** `ReadFile results`, `Prompts` */
export function blockName(block: ContextBlock | undefined): string {
  if (block === undefined) return ''
  if (block.kind !== 'tool-result' || block.name === '') return KIND_WORDS[block.kind]
  return `${toolLabel(block.name)} results`
}
