import type { SessionEdit, SessionEdits } from '../../model/insights/session-edits.ts'
import type { TouchedFile } from '../../model/insights/touched-file.ts'
import { foldPath } from '../path-clues/path-spellings.ts'
import { countEdits } from './edit-story.ts'

/** The edits of a session whose sub-agents touched these files: of one that an agent changed later nothing is known. */
export function doubtEdits({ prompts }: SessionEdits, ofAgents: readonly TouchedFile[]): SessionEdits {
  const lastChanges = new Map<string, number>()
  for (const { path, writes, edits, lastTime } of ofAgents) {
    if (writes + edits === 0) continue
    const key = foldPath(path)
    const time = Date.parse(lastTime ?? '') || Number.POSITIVE_INFINITY
    lastChanges.set(key, Math.max(time, lastChanges.get(key) ?? 0))
  }
  const doubted = prompts.map((prompt) => ({
    ...prompt,
    edits: prompt.edits.map((edit): SessionEdit => {
      const changedAt = lastChanges.get(foldPath(edit.path)) ?? 0
      const isOlder = changedAt > (Date.parse(edit.timestamp ?? '') || 0)
      return edit.state === 'not-made' || !isOlder ? edit : { ...edit, state: 'unknown', doubt: 'subagent' }
    }),
  }))
  return { prompts: doubted, counts: countEdits(doubted) }
}
