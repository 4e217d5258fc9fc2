import type { DriftNote, DriftPlace, ParseIssue, ParseIssueCode } from '../../model/parse-issue.ts'
import { OTHER_NAMES } from '../../model/parse-issue.ts'
import { printableName } from './printable-name.ts'

/** Of one kind in one file; the rest are counted. A damaged file can hold a million bad lines. */
const MAX_ISSUES_PER_CODE = 100
/** Different names in one file; the rest are counted together. */
const MAX_DRIFT_NAMES = 100

/** Collects what one file holds that could not be read, or that no known version writes. Bounded, whatever the file holds. */
export class Problems {
  readonly issues: ParseIssue[] = []
  readonly drift: DriftNote[] = []
  readonly #issueCounts = new Map<ParseIssueCode, number>()
  readonly #notes = new Map<string, DriftNote>()

  copy(): Problems {
    const problems = new Problems()
    problems.addAll(this)
    return problems
  }

  addAll(others: Problems): void {
    for (const { code, at, args, count } of others.issues) {
      if (count === undefined) this.addIssue(code, at, args)
      else this.#countIssue(code, count)
    }
    for (const { where, name, at, count } of others.drift) this.#countDrift(where, name, at, count)
  }

  addIssue(code: ParseIssueCode, at: string, args: ParseIssue['args'] = {}): void {
    const count = (this.#issueCounts.get(code) ?? 0) + 1
    this.#issueCounts.set(code, count)
    if (count <= MAX_ISSUES_PER_CODE) this.issues.push({ code, at, args })
    else this.#countIssue(code, 1)
  }

  /** Each name is noted where it is met first, and counted. */
  addDrift(where: DriftPlace, name: string, at: string): void {
    this.#countDrift(where, printableName(name), at, 1)
  }

  addUnknownNames(where: DriftPlace, row: object, known: ReadonlySet<string>, at: string): void {
    for (const name in row) if (!known.has(name)) this.addDrift(where, name, at)
  }

  #countIssue(code: ParseIssueCode, count: number): void {
    const others = this.issues.find((issue) => issue.code === code && issue.count !== undefined)
    if (others) others.count = (others.count ?? 0) + count
    else this.issues.push({ code, at: '', args: {}, count })
  }

  #countDrift(where: DriftPlace, name: string, at: string, count: number): void {
    const note = this.#notes.get(`${where}\n${name}`)
    if (note) note.count += count
    else if (this.#notes.size < MAX_DRIFT_NAMES || name === OTHER_NAMES) {
      const added = { where, name, at, count }
      this.#notes.set(`${where}\n${name}`, added)
      this.drift.push(added)
    } else this.#countDrift(where, OTHER_NAMES, at, count)
  }
}
