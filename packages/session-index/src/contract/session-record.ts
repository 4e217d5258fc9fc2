import type {
  BilledElsewhere,
  DriftNote,
  FileKeys,
  InFile,
  ParseIssue,
  SessionSummary,
  ToolStats,
  UsageBucket,
} from 'gemini-sessions'

/** What the index remembers of one session, next to its searchable text. Plain JSON. */
export interface SessionRecord {
  /** `project` is empty: which project it is, only the whole home can tell. */
  summary: SessionSummary
  /** Keys under which the session also answers. */
  ownKeys: string[]
  /** Of each file of `summary.files`. */
  fileKeys: FileKeys[]
  /** `conversationOrigin` */
  origin: string | null
  /** `requestIds` */
  requests: string
  billedElsewhere: BilledElsewhere[]
  parentSessionId: string | null
  /** `ToolCall.agentId` of every call that started a sub-agent. */
  agentIds: string[]
  projectHash: string | null
  directories: string[]
  buckets: UsageBucket[]
  tools: ToolStats[]
  issues: InFile<ParseIssue>[]
  drift: InFile<DriftNote>[]
}
