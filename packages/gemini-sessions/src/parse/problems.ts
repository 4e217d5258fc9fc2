import type { DriftNote, DriftPlace, ParseIssue, ParseIssueCode } from '../model/parse-issue.ts'
import { OTHER_NAMES } from '../model/parse-issue.ts'
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

  addIssue(code: ParseIssueCode, at: string, args: ParseIssue['args'] = {}): void {
    const count = (this.#issueCounts.get(code) ?? 0) + 1
    this.#issueCounts.set(code, count)
    if (count <= MAX_ISSUES_PER_CODE) this.issues.push({ code, at, args })
    else this.#countIssue(code)
  }

  /** Each name is noted where it is met first, and counted. */
  addDrift(where: DriftPlace, name: string, at: string): void {
    const shown = printableName(name)
    const note = this.#notes.get(`${where}\n${shown}`)
    if (note) note.count += 1
    else if (this.#notes.size < MAX_DRIFT_NAMES || shown === OTHER_NAMES) this.#addNote(where, shown, at)
    else this.addDrift(where, OTHER_NAMES, at)
  }

  addUnknownNames(where: DriftPlace, row: object, known: ReadonlySet<string>, at: string): void {
    for (const name in row) if (!known.has(name)) this.addDrift(where, name, at)
  }

  #countIssue(code: ParseIssueCode): void {
    const others = this.issues.find((issue) => issue.code === code && issue.count !== undefined)
    if (others) others.count = (others.count ?? 0) + 1
    else this.issues.push({ code, at: '', args: {}, count: 1 })
  }

  #addNote(where: DriftPlace, name: string, at: string): void {
    const note = { where, name, at, count: 1 }
    this.#notes.set(`${where}\n${name}`, note)
    this.drift.push(note)
  }
}
