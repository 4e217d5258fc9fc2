import type { ToolCall } from '../../model/tool-call.ts'

/** Arguments that say what a call is about, most telling first. */
const TELLING = [
  'command',
  'file_path',
  'absolute_path',
  'path',
  'dir_path',
  'pattern',
  'query',
  'url',
  'agent_name',
  'prompt',
  'objective',
]

/** What a call was asked to do, in few words: its own where they were stored, else what its arguments tell. */
export function callLine({ args, description }: Pick<ToolCall, 'args' | 'description'>): string {
  const named =
    typeof args === 'object' && args !== null ? new Map<string, unknown>(Object.entries(args)) : null
  const command = named?.get('command')
  // A shell's own line mixes the command with its folder and purpose.
  if (typeof command === 'string') return command
  if (description !== null && description.trim() !== '') return description
  const telling = TELLING.map((name) => named?.get(name)).find((value) => typeof value === 'string')
  return typeof telling === 'string' ? telling : ''
}
