import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

/** What can be opened all at once. */
type OpenKind = 'thoughts' | 'calls'

const KINDS: Record<OpenKind, RegExp> = { thoughts: /^[^/]+\/thoughts$/, calls: /^[^/]+\/call-\d+$/ }

/**
 * What the reader opened or closed, by message and call. It outlives the rows, which come and go with the
 * scrolling, and every refresh of a live session.
 */
export class OpenStore {
  private readonly choices: Map<string, boolean>
  private readonly all: Partial<Record<OpenKind, boolean>> = {}
  private readonly listeners = new Set<() => void>()
  private changes = 0
  private readonly opensAtFirst: (id: string) => boolean | undefined

  /**
   * @param choices made in it before
   * @param opensAtFirst what is open or closed before the reader chose; undefined leaves it to the part itself
   */
  constructor(
    choices = new Map<string, boolean>(),
    opensAtFirst: (id: string) => boolean | undefined = () => undefined,
  ) {
    this.choices = choices
    this.opensAtFirst = opensAtFirst
  }

  /** The reader's choice, or undefined where none was made. */
  choice(id: string): boolean | undefined {
    const own = this.choices.get(id)
    if (own !== undefined) return own
    const kind = KINDS.thoughts.test(id) ? 'thoughts' : KINDS.calls.test(id) ? 'calls' : undefined
    return (kind && this.all[kind]) ?? this.opensAtFirst(id)
  }

  set(ids: string | readonly string[], isOpen: boolean): void {
    for (const id of typeof ids === 'string' ? [ids] : ids) this.choices.set(id, isOpen)
    this.#tell()
  }

  /** Opens all of a kind, also those that are not loaded, and closes them the next time. */
  toggleAll(kind: OpenKind): void {
    this.all[kind] = this.all[kind] !== true
    for (const id of this.choices.keys()) if (KINDS[kind].test(id)) this.choices.delete(id)
    this.#tell()
  }

  /** Grows with every choice. */
  version = (): number => this.changes

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  #tell(): void {
    this.changes += 1
    for (const notify of this.listeners) notify()
  }
}

export const OpenStoreContext = createContext(new OpenStore())

/** Whether the part `id` is open, and a way to say so. */
export function useOpen(
  id: string,
  opensAtFirst = false,
): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const store = useContext(OpenStoreContext)
  const chosen = () => store.choice(id)
  const choice = useSyncExternalStore(store.subscribe, chosen, chosen)
  const setOpen = useCallback((isOpen: boolean) => store.set(id, isOpen), [store, id])
  return [choice ?? opensAtFirst, setOpen]
}

/** What a reader goes along a session by. */
export type StepKind = 'prompt' | 'answer' | 'error'

/** What the page around a conversation can have it do. */
export interface ConversationHandle {
  /** As a scroll bar would. `offset`: place among all messages. */
  scrollTo: (offset: number) => void
  /** To the next or the previous of its kind in the whole session. */
  step: (kind: StepKind, by: 1 | -1) => void
  /** Opens or closes the thoughts of these messages, also of those that are not loaded. */
  openThoughts: (messageKeys: readonly string[], isOpen: boolean) => void
}
