/** What the page around a conversation can have it do. */
export interface ConversationHandle {
  /** As a scroll bar would. `offset`: place among all messages. */
  scrollTo: (offset: number) => void
  /** Opens or closes the thoughts of these messages, also of those that are not loaded. */
  openThoughts: (messageKeys: readonly string[], isOpen: boolean) => void
}
