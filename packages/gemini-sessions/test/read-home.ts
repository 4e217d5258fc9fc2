import { agentIds, linkSubagents, type Session, type SessionSummary } from '../src/index.ts'
import { findHomes, type HomeSurvey, type ReadSession, readSessions, surveyHomes } from '../src/node/index.ts'

export interface ReadHome extends HomeSurvey {
  /** By start time. */
  sessions: Session[]
  /** The rows of these sessions, in the same order. One dollar per token, so that sums are easy to check. */
  summaries: SessionSummary[]
}

/** Everything in these homes at once. */
export async function readHome(...homes: string[]): Promise<ReadHome> {
  const survey = await surveyHomes(findHomes({ homeArguments: homes, env: {}, userHome: '/nobody' }))
  const read: ReadSession[] = []
  for await (const each of readSessions({ homes, priceCall: ({ usage }) => usage.total })) read.push(each)
  read.sort((a, b) => ((a.session.startTime ?? '') < (b.session.startTime ?? '') ? -1 : 1))
  const links = read.map(({ session, summary }) => ({
    summary,
    parentSessionId: session.parentSessionId,
    agentIds: agentIds(session.messages),
  }))
  return { ...survey, sessions: read.map(({ session }) => session), summaries: linkSubagents(links) }
}
