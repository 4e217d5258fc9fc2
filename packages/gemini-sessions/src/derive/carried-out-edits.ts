import type { Message, ToolCall } from '../model/message.ts'
import type { EditsBetween } from '../model/session-summary.ts'
import type { RecordOfRuns, Run } from './failure.ts'
import { rootOfCalls } from './failure.ts'
import { findFileCalls, isChange, touchedPathName } from './find-file-calls.ts'
import { RecordedCalls } from './messages.ts'

/** Number of file names in a sentence. */
const MOST_FILES = 10

/** The edits of a session that were carried out and not rewound, in recorded order, by the calls before and after them. */
export class CarriedOutEdits {
  readonly #names: string[] = []
  /** By call: number of edits before it. */
  readonly #before = new Map<ToolCall, number>()

  /** @param projectPath base for file names; null: taken from the record */
  constructor(session: RecordOfRuns, projectPath: string | null) {
    const root = projectPath ?? rootOfCalls(session)
    const recorded = new RecordedCalls()
    for (const message of session.messages) {
      for (const call of recorded.newIn(message)) {
        this.#before.set(call, this.#names.length)
        if (isGone(message)) continue
        for (const touch of findFileCalls(message, call, root))
          if (isChange(touch) && touch.isDone) this.#names.push(touchedPathName(touch.path, root))
      }
    }
  }

  /** The edits after one run and before another. */
  between(from: Run, to: Run): EditsBetween {
    const names = this.#names.slice(this.#before.get(from.call) ?? 0, this.#before.get(to.call) ?? 0)
    return { count: names.length, files: [...new Set(names)].slice(0, MOST_FILES) }
  }
}

/** The message was rewound or replaced. */
export function isGone({ superseded }: Message): boolean {
  return superseded === 'rewound' || superseded === 'replaced'
}
