import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { ExportFormat } from '@gemini-dash/api'
import { redactText } from '@gemini-dash/redact'
import type { SessionSummary } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import { ZipFile } from 'yazl'
import { CliError } from '../terminal/cli-error.ts'
import { type Redaction, redactOptions } from './redact-message.ts'

type Named = Pick<SessionSummary, 'key' | 'title' | 'startTime'>

const ENDINGS: Readonly<Record<Exclude<ExportFormat, 'raw'>, string>> = {
  markdown: '.md',
  html: '.html',
  json: '.json',
  jsonl: '.jsonl',
  vac: '.vac.json',
}
const MAX_TITLE_LETTERS = 48

/**
 * A file name for each session, by key: start time, title, key. It depends only on the session, so the next export gives the same name; if
 * a file system would treat two names as equal, the later key gets a number.
 */
export function exportNames(
  sessions: readonly Named[],
  redaction: Redaction | null,
): ReadonlyMap<string, string> {
  const names = new UniqueNames()
  const byKey = sessions.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  return new Map(byKey.map((session) => [session.key, names.add(exportName(session, redaction))]))
}

/**
 * Names that stay distinct on every file system, whether or not it distinguishes `a` from `A` and one normalization of `é` from another.
 */
export class UniqueNames {
  readonly #taken = new Set<string>()

  /** The name as given or, if it is taken, with the first free number before `ending`. */
  add(stem: string, ending = ''): string {
    let name = `${stem}${ending}`
    for (let number = 2; this.#taken.has(fold(name)); number += 1) name = `${stem}-${number}${ending}`
    this.#taken.add(fold(name))
    return name
  }
}

/** Upper case first, so that `ß` equals `ss` and `ς` equals `σ`. */
function fold(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** Characters that Windows and zip programs reject in file names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const REFUSED_CHARACTERS = /[\u0000-\u001f\u007f<>:"/\\|?*]|[. ]$/g
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** The name of a recorded file in a form that every system can write. */
export function portableName(name: string): string {
  return name.replace(REFUSED_CHARACTERS, '_').replace(DEVICE, '_$1')
}

/**
 * Begins with a digit or with `session`, so no system mistakes it for a device; letters and digits of any script.
 *
 * @param redaction null: the title is not redacted
 */
export function exportName({ key, title, startTime }: Named, redaction: Redaction | null): string {
  const words = (redaction === null ? title : wordsOf(redactText(title, redactOptions(redaction)).text))
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  const short = [...words].slice(0, MAX_TITLE_LETTERS).join('').replace(/-+$/, '').toLowerCase()
  const day = startTime === null ? 'session' : startTime.slice(0, 10)
  return [day, short, key].filter((part) => part !== '').join('-')
}

/** Without words that mix letters and digits: for a name the rest of the session is not read, which may reveal that one is a secret. */
function wordsOf(title: string): string {
  const isMixed = (word: string) => word.length > 5 && /\p{L}/u.test(word) && /\p{N}/u.test(word)
  return title
    .split(/\s+/)
    .filter((word) => !isMixed(word))
    .join(' ')
}

export function endingOf(format: Exclude<ExportFormat, 'raw'>): string {
  return ENDINGS[format]
}

interface ZipEntry {
  /** With `/` between folders. */
  name: string
  time: Date
  pieces: () => AsyncIterable<string | Uint8Array>
}

/** A zip as a stream: an entry is read when it is written, and nothing is held in full. */
export async function* zipPieces(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const fail = (error: unknown) => {
    ;(zip.outputStream as Readable).destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', fail)
  for await (const { name, time, pieces } of entries) {
    zip.addReadStreamLazy(name, { mtime: time }, (give) => {
      const stream = Readable.from(pieces(), { objectMode: false })
      stream.on('error', fail)
      give(null, stream)
    })
  }
  zip.end()
  yield* zip.outputStream as AsyncIterable<Uint8Array>
}

/** @throws if the target is in a Gemini home or any `.gemini`, also by way of links: exports never write to one */
export function refuseHome(
  target: string,
  homes: readonly GeminiHome[],
  advice = 'Choose a folder somewhere else with --out.',
): void {
  const place = targetPlace(target)
  const home = homes.find(({ path, tmpPath }) =>
    // with GEMINI_SESSIONS_DIR the home is only the folder of projects
    isWithin(place, targetPlace(join(path, 'tmp') === join(tmpPath) ? path : tmpPath)),
  )
  if (home !== undefined)
    throw new CliError(
      1,
      `${target} is in the Gemini folder ${home.path}, where gemini-dash writes no exports.`,
      advice,
    )
  const isInAny = [place, resolve(target)].some((path) =>
    path.toLowerCase().split(/[\\/]/).includes('.gemini'),
  )
  if (isInAny)
    throw new CliError(1, `${target} is in a .gemini folder, where gemini-dash writes no exports.`, advice)
}

/** The path, or the path it would get, once all links are resolved. */
function targetPlace(path: string): string {
  let existing = resolve(path)
  const missing: string[] = []
  for (;;) {
    try {
      return join(realpathSync(existing), ...missing)
    } catch {
      const above = dirname(existing)
      if (above === existing) return resolve(path)
      // a dangling link also leads somewhere: do not write through it
      if (lstatSync(existing, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new CliError(1, `${path} is a broken link.`, 'Use the path of its target.')
      missing.unshift(relative(above, existing))
      existing = above
    }
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
