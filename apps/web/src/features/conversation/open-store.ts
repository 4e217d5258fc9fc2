import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

/** Parts that can be opened all at once. */
type OpenKind = 'thoughts' | 'calls'

const KINDS: Record<OpenKind, RegExp> = { thoughts: /^[^/]+\/thoughts$/, calls: /^[^/]+\/call-\d+$/ }

/** What the reader opened or closed, by message and tool call. Outlives the virtualized rows and every refresh of a live session. */
export class OpenStore {
  private readonly choices: Map<string, boolean>
  private readonly all: Partial<Record<OpenKind, boolean>> = {}
  private readonly listeners = new Set<() => void>()
  private changes = 0
  private readonly opensAtFirst: (id: string) => boolean | undefined

  /**
   * @param choices earlier choices
   * @param opensAtFirst default state of a part; undefined leaves it to the part itself
   */
  constructor(
    choices = new Map<string, boolean>(),
    opensAtFirst: (id: string) => boolean | undefined = () => undefined,
  ) {
    this.choices = choices
    this.opensAtFirst = opensAtFirst
  }

  /** The reader's choice; undefined if none was made. */
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

  /** Opens all parts of a kind, including unloaded ones, and closes them the next time. */
  toggleAll(kind: OpenKind): void {
    this.all[kind] = this.all[kind] !== true
    for (const id of this.choices.keys()) if (KINDS[kind].test(id)) this.choices.delete(id)
    this.#tell()
  }

  /** Increases with every choice. */
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

/** Whether part `id` is open, and a setter. */
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

/** What the step keys and buttons move between. */
export type StepKind = 'prompt' | 'answer' | 'error'

/** Imperative handle of a conversation. */
export interface ConversationHandle {
  /** Like a scrollbar. `offset`: position among all messages. */
  scrollTo: (offset: number) => void
  /** To the next or previous one in the whole session. */
  step: (kind: StepKind, by: 1 | -1) => void
  /** Opens or closes the thoughts of these messages, including unloaded ones. */
  openThoughts: (messageKeys: readonly string[], isOpen: boolean) => void
}
