import { damagedLogSession, promptLogSessions } from '../../derive/loose/prompt-log-sessions.ts'
import { type ReadPromptLog, readPromptLog } from '../../derive/loose/read-prompt-log.ts'
import type { Session } from '../../model/session.ts'
import { readFoundFile } from '../files/read-bytes.ts'
import type { DiscoveredFile, ProjectPlace } from '../scan/scan.ts'

/** The largest one met held 1,249 prompts in 656 kB. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024

/** The CLI writes the whole file again at each prompt; a reader can meet it half-written. */
const RETRY_DELAY_MS = 50
const FRESH_MS = 10_000

/**
 * The prompts-only sessions of one project (all its folders, in every home), and a row for each log that is not as the CLI
 * writes it. `knownIds`: the sessionIds of the project's session files. `onFault`: which log the system refuses to read
 * just now, and why.
 */
export function readPromptLogs(
  places: readonly ProjectPlace[],
  projectKey: string,
  knownIds: ReadonlySet<string>,
  onFault: (path: string, code: string) => void = () => {},
): Session[] {
  const logs = promptLogsOf(places).flatMap((file) => {
    const log = readSettled(file, onFault)
    return log === null ? [] : [{ file, log }]
  })
  const current = new Set(places.map((place) => place.logs))
  return [
    ...promptLogSessions(
      logs.map(({ log }) => log),
      projectKey,
      knownIds,
    ),
    ...damagedRows(
      logs.filter(({ file }) => current.has(file)),
      projectKey,
    ),
  ]
}

/** What they hold now comes first. */
export function promptLogsOf(places: readonly ProjectPlace[]): DiscoveredFile[] {
  return [
    ...places.flatMap(({ logs }) => logs ?? []),
    ...places.flatMap(({ earlierLogs }) => earlierLogs ?? []),
  ]
}

function readSettled(
  file: DiscoveredFile,
  onFault: (path: string, code: string) => void,
): ReadPromptLog | null {
  const log = readOnce(file, onFault)
  if (log === null || log.issue === null || Math.abs(Date.now() - file.mtimeMs) > FRESH_MS) return log
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS)
  return readOnce(file, onFault)
}

function readOnce(
  { path, absolutePath }: DiscoveredFile,
  onFault: (path: string, code: string) => void,
): ReadPromptLog | null {
  const text = readFoundFile(absolutePath, MAX_LOG_BYTES, (code) => onFault(path, code))
  return text === null ? null : readPromptLog({ path, text })
}

/** One for each path: the same project can be in several homes. */
function damagedRows(
  logs: readonly { file: DiscoveredFile; log: ReadPromptLog }[],
  projectKey: string,
): Session[] {
  const damaged = logs.flatMap(({ file, log: { path, issue } }) =>
    issue === null ? [] : [{ file, path, issue, projectKey }],
  )
  const paths = [...new Set(damaged.map(({ path }) => path))]
  return paths.flatMap((path) => {
    const [first, ...others] = damaged.filter((each) => each.path === path)
    return first === undefined
      ? []
      : damagedLogSession(
          first,
          [first, ...others].map(({ file: { home, sizeBytes, kept } }) => ({
            home,
            path,
            sizeBytes,
            format: 'json',
            role: 'damaged',
            ...(kept && { kept }),
          })),
        )
  })
}
