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
