import { setTimeout } from 'node:timers/promises'
import type { UsageQuery } from '@gemini-dash/api'
import type { Catalog } from '../catalog/catalog.ts'
import { ownZone } from '../times/time-zone.ts'
import type { UsageFigures } from './report-usage.ts'

type Query = Omit<UsageQuery, 'format'>

const MAX_ANSWERS = 32
/** Between two reports that nobody waits for: each takes some hundredths of a second. */
const PAUSE_MS = 250
const LIKELY: readonly Query[] = [
  { by: 'day' },
  { by: 'day', split: 'model' },
  { by: 'model' },
  { by: 'project' },
  { by: 'hour-of-week' },
  { by: 'tool' },
  { by: 'session' },
]

/** Reports that were asked for once. As long as no row and no project changes, they hold. */
export class UsageAnswers {
  readonly #catalog: Pick<Catalog, 'revision' | 'projects'>
  readonly #report: (query: Query) => UsageFigures
  readonly #known = new Map<string, UsageFigures>()
  #revision = -1
  #projects: ReturnType<Catalog['projects']> | null = null

  constructor(catalog: Pick<Catalog, 'revision' | 'projects'>, report: (query: Query) => UsageFigures) {
    this.#catalog = catalog
    this.#report = report
  }

  answer({ by, from, to, tz, project, split }: Query): UsageFigures {
    const { revision } = this.#catalog
    const projects = this.#catalog.projects()
    const hasChanged = revision !== this.#revision || projects !== this.#projects
    if (hasChanged || this.#known.size >= MAX_ANSWERS) this.#known.clear()
    this.#revision = revision
    this.#projects = projects
    const query = { by, from, to, tz: tz ?? ownZone(), project, split }
    const name = JSON.stringify(query)
    const answer = this.#known.get(name) ?? this.#report(query)
    this.#known.set(name, answer)
    return answer
  }

  /** Makes the reports over all time that a page is likely to ask for. */
  async prepare(): Promise<void> {
    for (const query of LIKELY) {
      await setTimeout(PAUSE_MS, null, { ref: false })
      this.answer(query)
    }
  }
}
