import { homedir } from 'node:os'
import { escapeControls } from '../print/escape-controls.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface Problem {
  id: string
  route: string
  error: unknown
}

/** Where it happened, but not the message: JSON.parse and zod quote what they read, and that is a transcript. */
export function reportProblem({ id, route, error }: Problem, terminal: Terminal): void {
  const name = error instanceof Error ? error.name : typeof error
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const place = frames.join('\n').replaceAll(homedir(), '~')
  terminal.note(escapeControls(`Problem ${id} in ${route}: ${name}\n${place}`))
}
