import {
  type MarkChange,
  type MessageMarkChange,
  type SessionMark,
  type View,
  viewSchema,
} from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { createMemoryList, type KeptList, ListFile } from './kept-list.ts'
import { createMemoryMarkLog, type MarkEntry, type MarkLog, openMarkFile } from './mark-log.ts'
import type { TellProblem } from './own-file.ts'

/** Stars, notes and tags, and the views that the user named. */
export interface OwnMarks {
  store: MarkStore
  views: KeptList<View>
}

/** `marks.jsonl` and `views.json` of the data folder; null: nothing outlives the process. */
export function openMarks(folder: string | null, tell: TellProblem): OwnMarks {
  if (folder === null) return { store: new MarkStore(createMemoryMarkLog()), views: createMemoryList() }
  const what = 'Your saved views'
  const views = new ListFile({ folder, name: 'views', item: viewSchema, what, tell })
  // problems are reported at once, as for marks
  views.read()
  return { store: new MarkStore(openMarkFile(folder, tell)), views }
}

type Field = keyof MarkChange
type Said = { at: number; value: unknown }
/** The latest value of each field. */
type Fields = Map<Field, Said>

interface SessionFields {
  own: Fields
  messages: Map<string, Fields>
}

const FIELDS: readonly Field[] = ['star', 'note', 'tags', 'title', 'seen']
const NO_MARK: SessionMark = { star: false, note: '', tags: [], title: null, seen: null, messages: {} }

/** Stars, notes, tags and titles of sessions and messages. They outlive the session's files. */
export class MarkStore {
  readonly #log: MarkLog
  readonly #now: () => number
  readonly #sessions = new Map<string, SessionFields>()
  /** Of sessions requested so far, until they change. */
  readonly #made = new Map<string, SessionMark | null>()
  #tell: (sessions: ReadonlySet<string>) => void = () => {}
  #latest = 0

  constructor(log: MarkLog, now: () => number = Date.now) {
    this.#log = log
    this.#now = now
    this.reload()
  }

  /** Calls `listener` with the keys of changed sessions, whichever process changed them. */
  onChange(listener: (sessions: ReadonlySet<string>) => void): void {
    this.#tell = listener
  }

  /** Removes everything about these sessions. @throws if it could not be saved; then nothing has changed */
  forget(keys: ReadonlySet<string>): void {
    this.#log.drop(keys)
    for (const key of keys) {
      this.#sessions.delete(key)
      this.#made.delete(key)
    }
    this.reload()
    this.#tell(keys)
  }

  /** Another process may have written in the meantime. */
  reload(): void {
    const { entries, isAnew } = this.#log.readOn()
    const known = isAnew ? [...this.#sessions.keys()] : []
    if (isAnew) {
      // another process has removed some of them
      this.#sessions.clear()
      this.#made.clear()
    }
    for (const entry of entries) this.#take(entry)
    const changed = new Set([...known, ...entries.map(({ session }) => session)])
    if (changed.size > 0) this.#tell(changed)
  }

  /**
   * null: nothing is recorded for it. A session whose first file is gone has a new key: entries under earlier keys count, too, and the
   * latest value of each field wins.
   */
  of(key: string, earlierKeys: readonly string[] = []): SessionMark | null {
    const known = [...new Set([key, ...earlierKeys])].filter((each) => this.#sessions.has(each))
    const [only, another] = known
    if (only === undefined) return null
    return another === undefined
      ? this.#mark(only)
      : toMark(merged(known.map((each) => this.#sessions.get(each))))
  }

  /** A row with the marks of its session. The user's own title replaces the recorded one wherever the row is shown. */
  marked(row: SessionSummary, earlierKeys: readonly string[]): SessionSummary {
    const said = this.of(row.key, earlierKeys)
    if (said === null) return row
    const messages = Object.values(said.messages)
    const starred = messages.filter(({ star }) => star).length
    const noted = messages.filter(({ note }) => note !== '').length
    const mark = { ...said, messages: { starred, noted } }
    return said.title === null ? { ...row, mark } : { ...row, mark, title: said.title, titleSource: 'user' }
  }

  /** Notes of the session and of its messages. */
  notesOf(key: string, earlierKeys: readonly string[]): string[] {
    const said = this.of(key, earlierKeys)
    return said === null ? [] : [said, ...Object.values(said.messages)].map(({ note }) => note)
  }

  all(): Map<string, SessionMark> {
    const marks = [...this.#sessions.keys()].map((key) => [key, this.#mark(key)] as const)
    return new Map(marks.flatMap(([key, mark]) => (mark === null ? [] : [[key, mark]])))
  }

  /** @throws if it could not be saved; then nothing has changed */
  change(session: string, change: MarkChange): void {
    this.#say([{ ...change, session }])
  }

  /** @throws if it could not be saved; then nothing has changed */
  changeMessage(session: string, message: string, change: MessageMarkChange): void {
    this.#say([{ ...change, session, message }])
  }

  /** All entries, in a form that `takeIn` accepts. */
  entries(): MarkEntry[] {
    return [...this.#sessions].flatMap(([session, { own, messages }]) => [
      ...entriesOf(own, { session }),
      ...[...messages].flatMap(([message, fields]) => entriesOf(fields, { session, message })),
    ])
  }

  /**
   * Where both have a value, the later one wins. Returns the number of entries that changed something. @throws if nothing could be saved
   */
  takeIn(entries: readonly MarkEntry[]): number {
    this.reload()
    const fresh = entries.filter((entry) => this.#isNews(entry))
    if (fresh.length > 0) this.#log.append(fresh)
    this.reload()
    return fresh.length
  }

  #say(changes: Omit<MarkEntry, 'at'>[]): void {
    this.reload()
    // Even if the clock was set back, the newest change must have the latest time.
    const at = Math.max(this.#now(), this.#latest + 1)
    this.#log.append(changes.map((change) => ({ ...change, at })))
    this.reload()
  }

  #take(entry: MarkEntry): void {
    const fields = this.#fieldsOf(entry)
    for (const field of FIELDS) {
      const value = entry[field]
      if (value !== undefined && entry.at >= (fields.get(field)?.at ?? 0))
        fields.set(field, { at: entry.at, value })
    }
    this.#latest = Math.max(this.#latest, entry.at)
    this.#made.delete(entry.session)
  }

  #isNews(entry: MarkEntry): boolean {
    const known = this.#sessions.get(entry.session)
    const fields = entry.message === undefined ? known?.own : known?.messages.get(entry.message)
    return FIELDS.some((field) => entry[field] !== undefined && entry.at > (fields?.get(field)?.at ?? 0))
  }

  #fieldsOf({ session, message }: MarkEntry): Fields {
    const of = this.#sessions.get(session) ?? { own: new Map(), messages: new Map() }
    this.#sessions.set(session, of)
    if (message === undefined) return of.own
    const fields = of.messages.get(message) ?? new Map()
    of.messages.set(message, fields)
    return fields
  }

  #mark(key: string): SessionMark | null {
    let mark = this.#made.get(key)
    if (mark === undefined) {
      mark = toMark(this.#sessions.get(key))
      this.#made.set(key, mark)
    }
    return mark
  }
}

/** null if nothing is left of it. */
function toMark(fields: SessionFields | undefined): SessionMark | null {
  if (fields === undefined) return null
  const messages = [...fields.messages].flatMap(([key, said]) => {
    const mark = { star: false, note: '', ...valuesOf(said) }
    return mark.star || mark.note !== '' ? [[key, mark] as const] : []
  })
  const mark: SessionMark = { ...NO_MARK, ...valuesOf(fields.own), messages: Object.fromEntries(messages) }
  const isEmpty =
    !mark.star && mark.note === '' && mark.tags.length === 0 && mark.title === null && mark.seen === null
  return isEmpty && messages.length === 0 ? null : mark
}

/** As if all of it were about one session. */
function merged(all: readonly (SessionFields | undefined)[]): SessionFields {
  const one: SessionFields = { own: new Map(), messages: new Map() }
  for (const { own, messages } of all.flatMap((each) => each ?? [])) {
    takeLatest(one.own, own)
    for (const [key, fields] of messages)
      one.messages.set(key, takeLatest(one.messages.get(key) ?? new Map(), fields))
  }
  return one
}

function takeLatest(into: Fields, fields: Fields): Fields {
  for (const [field, said] of fields) if (said.at >= (into.get(field)?.at ?? 0)) into.set(field, said)
  return into
}

function valuesOf(fields: Fields): object {
  return Object.fromEntries([...fields].map(([field, { value }]) => [field, value]))
}

/** One entry for each time at which something changed. */
function entriesOf(fields: Fields, of: Pick<MarkEntry, 'session' | 'message'>): MarkEntry[] {
  const byTime = new Map<number, MarkEntry>()
  for (const [field, { at, value }] of fields)
    byTime.set(at, { ...of, ...byTime.get(at), at, [field]: value })
  return [...byTime.values()]
}
