import type { Message, SessionSummary } from 'gemini-sessions'

/** A sub-agent's conversation as it leaves inside the call that started it: cut to the depth, without what is taken out. */
export interface LeavingAgent {
  /** Of which its figures are told. */
  session: SessionSummary
  messages: readonly Message[]
}
