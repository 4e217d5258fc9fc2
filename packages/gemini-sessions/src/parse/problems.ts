import type { DriftNote, ParseIssue, ParseIssueCode } from '../model/parse-issue.ts'

/** Collects what one file holds that could not be read, or that no known version writes. */
export class Problems {
  readonly issues: ParseIssue[] = []
  readonly drift: DriftNote[] = []
  readonly #seenDrift = new Set<string>()

  addIssue(code: ParseIssueCode, at: string, args: ParseIssue['args'] = {}): void {
    this.issues.push({ code, at, args })
  }

  /** Each name is noted once a file, where it is met first. */
  addDrift(where: string, name: string, at: string): void {
    const identity = `${where}\n${name}`
    if (this.#seenDrift.has(identity)) return
    this.#seenDrift.add(identity)
    this.drift.push({ where, name, at })
  }

  addUnknownNames(where: string, row: object, known: ReadonlySet<string>, at: string): void {
    for (const name in row) if (!known.has(name)) this.addDrift(where, name, at)
  }
}
