import type { Answers } from './answers.ts'

/** A line for each message that is complete on disk but missing from every session with its id. */
export function lostMessages(
  { rows, sessions }: Answers,
  recorded: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return [...recorded].flatMap(([sessionId, ids]) => {
    const shown = new Set(
      rows
        .filter((row) => row.sessionId === sessionId)
        .flatMap(({ key }) => sessions[key]?.messages.map(({ id }) => id) ?? []),
    )
    return [...ids]
      .filter((id) => !shown.has(id))
      .map((id) => `message ${id} of session ${sessionId} is on the disk and in no answer`)
  })
}
