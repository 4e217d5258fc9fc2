import { promptLogSessions } from '../../derive/loose/prompt-log-sessions.ts'
import type { Session } from '../../model/session.ts'
import { readFoundFile } from '../files/read-bytes.ts'
import type { DiscoveredFile, ProjectPlace } from '../scan/scan.ts'

/** The largest one met held 1,249 prompts in 656 kB. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024

/**
 * The prompts-only sessions of one project (all its folders, in every home). `knownIds`: the sessionIds that session
 * files of the project hold. `onFault` is told which log the system refuses to read just now, and why.
 */
export function readPromptLogs(
  places: readonly ProjectPlace[],
  projectKey: string,
  knownIds: ReadonlySet<string>,
  onFault: (path: string, code: string) => void = () => {},
): Session[] {
  const logs = promptLogsOf(places).flatMap(({ path, absolutePath }) => {
    const text = readFoundFile(absolutePath, MAX_LOG_BYTES, (code) => onFault(path, code))
    return text === null ? [] : [{ path, text }]
  })
  return promptLogSessions(logs, projectKey, knownIds)
}

/** What they hold now comes first. */
export function promptLogsOf(places: readonly ProjectPlace[]): DiscoveredFile[] {
  return [
    ...places.flatMap(({ logs }) => logs ?? []),
    ...places.flatMap(({ earlierLogs }) => earlierLogs ?? []),
  ]
}
