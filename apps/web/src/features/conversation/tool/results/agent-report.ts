export interface AgentReport {
  /** `GOAL`, `MAX_TURNS`, `TIMEOUT`, …; '' where none is told. */
  reason: string
  /** What the sub-agent handed back, mostly Markdown or JSON. */
  result: string
}

/** `Subagent 'x' finished.`, its reason and its result: the text that the model got, and up to 0.32 also what was drawn. */
const REPORT = /^\s*Subagent '?[\w-]+'? finished\.?\s+Termination Reason:\s*(\S+)\s+Result:\n?([\s\S]*)$/i

export function agentReport(text: string): AgentReport | null {
  const found = REPORT.exec(text)
  return found === null ? null : { reason: found[1] ?? '', result: (found[2] ?? '').trim() }
}
