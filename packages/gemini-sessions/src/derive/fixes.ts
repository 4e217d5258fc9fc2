import type { ToolCall } from '../model/message.ts'
import { isGone } from './carried-out-edits.ts'
import { type FailedRun, failedRuns, isCommand, type RecordOfRuns, type Run, rootOfCalls } from './failure.ts'
import { findFileCalls, isChange, touchedPathName } from './find-file-calls.ts'
import { callLine, RecordedCalls } from './messages.ts'
import { isLaterThan, widerRuns } from './verdict.ts'

/** An edit that was carried out, or a successful command. */
export interface FixStep extends Run {
  /** Of an edit: absolute if the root is known. null: it is a command. */
  path: string | null
  /** The name of the file, or the command. */
  name: string
}

/** What was done between a failed run and the next successful run of the same. */
export interface Fix {
  failed: Run
  passed: Run
  /** In recorded order. */
  steps: FixStep[]
  /** The step after which it succeeded; null: it was only rerun, or no recorded step changed anything. */
  step: FixStep | null
}

/**
 * For each wanted failed run that later succeeded, or that a broader check later covered, the steps in between. Of several failures before
 * a success, the last counts.
 */
export function findFixes(
  session: RecordOfRuns,
  projectPath: string | null,
  isWanted: (failed: FailedRun) => boolean,
): Fix[] {
  const last = new Map<Run, Run>()
  for (const failed of failedRuns(session)) {
    if (!isWanted(failed)) continue
    const passed = failed.succeeded ?? passedWider(session, failed.run)
    if (passed !== null) last.set(passed, failed.run)
  }
  if (last.size === 0) return []
  const done = new DoneSteps(session, projectPath)
  return [...last].map(([passed, failed]) => {
    const steps = done.between(failed, passed)
    return { failed, passed, steps, step: choose(steps, callLine(failed.call)) }
  })
}

/** `npm test` after `npm test -- cart`: its first success after the failure. */
function passedWider(session: RecordOfRuns, failed: Run): Run | null {
  if (!isCommand(failed.call)) return null
  const isAfter = isLaterThan(session, failed)
  const runs = widerRuns(session, failed).flatMap(
    (series) => series.find((run) => !run.call.failed && isAfter(run)) ?? [],
  )
  return runs.find((run) => !runs.some((other) => other !== run && isLaterThan(session, other)(run))) ?? null
}

/** Edits and commands of a session in recorded order, and what was done before each call. */
class DoneSteps {
  readonly #steps: FixStep[] = []
  readonly #before = new Map<ToolCall, number>()

  constructor(session: RecordOfRuns, projectPath: string | null) {
    const root = projectPath ?? rootOfCalls(session)
    const recorded = new RecordedCalls()
    for (const message of session.messages) {
      for (const call of recorded.newIn(message)) {
        this.#before.set(call, this.#steps.length)
        if (isGone(message)) continue
        const run = { message, call, index: message.toolCalls.indexOf(call) }
        if (isCommand(call)) {
          const isDone = !call.failed && call.status === 'success'
          if (isDone) this.#steps.push({ ...run, path: null, name: callLine(call) })
          continue
        }
        for (const touch of findFileCalls(message, call, root)) {
          const { path } = touch
          if (isChange(touch) && touch.isDone)
            this.#steps.push({ ...run, path, name: touchedPathName(path, root) })
        }
      }
    }
  }

  between(from: Run, to: Run): FixStep[] {
    const steps = this.#steps.slice(this.#before.get(from.call) ?? 0, this.#before.get(to.call) ?? 0)
    return steps.filter(({ call }) => call !== from.call)
  }
}

/**
 * The last edit, unless a command after it changes something judging by its name. Read-only commands and repeats of the check change
 * nothing.
 */
function choose(steps: readonly FixStep[], check: string): FixStep | null {
  const isOther = ({ name }: FixStep) => !LOOKING.test(name) && !isSameProgram(name, check)
  const last = steps.findLast((step) => step.path !== null || (CHANGING.test(step.name) && isOther(step)))
  return last ?? steps.findLast(isOther) ?? null
}

/** Dependencies of a check other than the edited files: packages, generated code, services, permissions. */
const CHANGING =
  /(?:^|[\s;&|])(?:install|i|ci|add|remove|uninstall|update|upgrade|sync|migrate|generate|codegen|seed|mkdir|cp|mv|rm|ln|chmod|chown|touch|kill|pkill|killall|start|restart|up|checkout|restore|reset|revert|apply)(?=$|[\s;&|:])|\bsed\s+-i/
/** Commands that inspect or commit what others changed. */
const LOOKING =
  /^\s*(?:ls|cat|head|tail|less|grep|rg|ag|find|fd|pwd|echo|printf|which|type|wc|tree|stat|file|env|printenv|ps|du|df|date|whoami|uname|diff|sort|jq|sed\s+-n|git\s+(?:status|diff|log|show|blame|branch|remote|add|commit|push|fetch|tag))(?:\s|$)/

/** `npm test -- cart` and `npm test`, `go test ./b` and `go test ./a`: the same check with another scope. */
function isSameProgram(command: string, check: string): boolean {
  const [a, b] = [command, check].map((line) => line.trim().split(/\s+/))
  if (a === undefined || b === undefined || a[0] !== b[0] || a[1] !== b[1]) return false
  const isSubcommand = (word: string | undefined) => word !== undefined && /^\w+$/.test(word)
  return !(isSubcommand(a[2]) && isSubcommand(b[2]) && a[2] !== b[2])
}
