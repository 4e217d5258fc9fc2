import { resolve } from 'node:path'
import { ownShell, quoteForShell } from '../store/quote-for-shell.ts'
import type { Flags } from '../terminal/flags.ts'

/**
 * A command that can be pasted anywhere: with the folders that were given to this one. A KEY that begins with a dash comes last, after
 * `--`. `command` may include options, `key` may be empty.
 */
export function nextCommand(flags: Flags, command: string, key: string, options = ''): string {
  const given = [
    ...(flags.demo ? ['--demo'] : []),
    ...(flags.home ?? []).map((path) => optionOf('--home', path)),
    ...(['data-dir', 'cache-dir'] as const).map((name) => optionOf(`--${name}`, flags[name])),
  ]
  const rest = [options, ...given]
  const words = key.startsWith('-') ? [...rest, '--', quoteWord(key)] : [key && quoteWord(key), ...rest]
  return ['gemini-dash', command, ...words].filter((word) => word !== '').join(' ')
}

const optionOf = (option: string, path: string | undefined) =>
  path === undefined ? '' : `${option} ${quoteWord(resolve(path))}`

/** Quotes one word for the shell of this system. */
export const quoteWord = (word: string): string => quoteForShell(word, ownShell())
