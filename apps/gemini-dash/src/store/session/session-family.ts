import type { CostWhy, Handover, HandoverQuery, SessionCost, SessionWhatIf } from '@gemini-dash/api'
import { mergeWhatIfs } from '@gemini-dash/pricing'
import { explainWhy, type SessionReasons, type WhyPart } from '@gemini-dash/pricing/why'
import {
  doubtChanges,
  nestTimelines,
  type SessionChanges,
  type SessionSummary,
  type Timeline,
  type TouchedFile,
} from 'gemini-sessions'
import type { ReaderAnswer, ReaderArgs } from '../reader/reader-client.ts'
import type { SessionPlace } from '../reader/session-place.ts'
import { read, type Written, write } from '../written-messages.ts'

/** Sub-agents of one session that are read for one answer. */
const MAX_AGENTS = 100
/** Limits for the steps that are combined: of a session, and of each of its sub-agents. */
const MAX_STEPS = 2_000
const MAX_AGENT_STEPS = 200

type FamilyQuestion = 'changes' | 'why' | 'handover' | 'files' | 'timeline' | 'what-if'

interface FamilySources {
  summary: (key: string) => SessionSummary | null
  /** As stored in the index; undefined: it has not read the session. */
  reasons: (key: string) => SessionReasons | null | undefined
  place: (key: string) => SessionPlace | null
  ask: <Q extends FamilyQuestion>(question: Q, args: ReaderArgs<Q>) => Promise<ReaderAnswer<Q>>
}

/** Answers what a session did together with its sub-agents: to which files, when, and at what cost. */
export class SessionFamily {
  readonly #sources: FamilySources

  constructor(sources: FamilySources) {
    this.#sources = sources
  }

  /** null: it started no sub-agent. */
  costs(key: string): SessionCost['family'] {
    const agents = this.#descendants(key).flatMap((agent) => this.#sources.summary(agent) ?? [])
    const summary = this.#sources.summary(key)
    if (agents.length === 0 || summary === null) return null
    const subagents = agents.map(({ key: sessionKey, title, usage, cost }) => ({
      sessionKey,
      title,
      usage,
      cost,
    }))
    const { usage, cost } = summary.withSubagents
    return { subagents, together: { usage, cost } }
  }

  /** Sub-agents that the index has not read are left out, as in every sum. */
  async why(key: string): Promise<CostWhy | null> {
    const summary = this.#sources.summary(key)
    if (summary === null) return null
    const own = this.#sources.reasons(key)
    const opened = own === undefined ? await this.#ask('why', key, {}) : own
    const keys = [key, ...this.#descendants(key)]
    const parts = keys.flatMap((each): WhyPart[] => {
      const reasons = each === key ? opened : this.#sources.reasons(each)
      const title = this.#sources.summary(each)?.title ?? ''
      return reasons == null ? [] : [{ key: each, title, reasons }]
    })
    const unpricedRequests = summary.withSubagents.cost?.unpricedCalls ?? 0
    return { ...explainWhy(key, parts), unpricedRequests }
  }

  async whatIf(key: string): Promise<SessionWhatIf | null> {
    const { agents, leftOut } = this.#agents(key)
    const [own, ...theirs] = await Promise.all([key, ...agents].map((of) => this.#ask('what-if', of, {})))
    if (own === null || own === undefined) return null
    const merged = mergeWhatIfs([own, ...theirs.filter((part) => part !== null)])
    return { ...merged, agentsLeftOut: leftOut }
  }

  /** Changes by the session itself; later changes by its sub-agents make its final state uncertain. */
  async changes(key: string): Promise<Written<SessionChanges> | null> {
    const own = await this.#ask('changes', key, {})
    if (own === null) return null
    const ofAgents = await this.#agentFiles(key)
    return ofAgents.length === 0 ? own : write(doubtChanges(read(own), ofAgents))
  }

  /** What another agent needs to continue. */
  async handover(key: string, query: HandoverQuery): Promise<Handover | null> {
    const agentFiles = await this.#agentFiles(key)
    const summary = this.#sources.summary(key)
    return summary && this.#ask('handover', key, { ...query, summary, agentFiles })
  }

  async #agentFiles(key: string): Promise<TouchedFile[]> {
    const lists = await Promise.all(this.#agents(key).agents.map((agent) => this.#ask('files', agent, {})))
    return lists.filter((list) => list !== null).flat()
  }

  async timeline(key: string): Promise<Timeline | null> {
    const own = await this.#ask('timeline', key, { maxSteps: MAX_STEPS })
    if (own === null) return null
    const nested = await Promise.all(
      this.#agents(key).agents.map(async (agent) => {
        const timeline = await this.#ask('timeline', agent, { maxSteps: MAX_AGENT_STEPS })
        const title = this.#sources.summary(agent)?.title ?? ''
        return timeline === null ? [] : [{ sessionKey: agent, title, timeline }]
      }),
    )
    return nestTimelines(own, nested.flat())
  }

  /** The sub-agents of a session and theirs, each after its parent; up to the number that can be read at a time. */
  #agents(key: string): { agents: string[]; leftOut: number } {
    const agents = this.#descendants(key)
    return { agents: agents.slice(0, MAX_AGENTS), leftOut: Math.max(agents.length - MAX_AGENTS, 0) }
  }

  #descendants(key: string): string[] {
    const agents: string[] = []
    const visit = (of: string) => {
      for (const agent of this.#sources.summary(of)?.subagentKeys ?? []) {
        agents.push(agent)
        visit(agent)
      }
    }
    visit(key)
    return agents
  }

  async #ask<Q extends FamilyQuestion>(
    question: Q,
    key: string,
    asked: ReaderArgs<Q>['asked'],
  ): Promise<ReaderAnswer<Q> | null> {
    const place = this.#sources.place(key)
    return place === null ? null : this.#sources.ask(question, { ...place, asked })
  }
}
