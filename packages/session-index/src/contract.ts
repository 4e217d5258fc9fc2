import type { SearchField, SearchHit } from '@gemini-dash/api'
import type { PriceOverrides } from '@gemini-dash/pricing/overrides'
import type {
  BilledElsewhere,
  DriftNote,
  FileKeys,
  GroupClaims,
  InFile,
  KeptCopy,
  Message,
  ParseIssue,
  Session,
  SessionSummary,
  ToolStats,
  UnreadFile,
  UsageBucket,
} from 'gemini-sessions'
import type { DiscoveredFile, FileHead, LooseFiles, ProjectPlace, PutAsideTexts } from 'gemini-sessions/node'
import type { IndexTree } from './query/tree.ts'

/** Files that may form one or more sessions together and are always read together. */
export interface IndexGroup {
  id: string
  /** Changes if any file changes, and if the price of its calls may have changed. */
  fingerprint: string
  files: DiscoveredFile[]
  /** What other files and earlier runs contribute to the keys of its sessions; part of the fingerprint. */
  claims?: GroupClaims | undefined
  /** What the files are, if they are not session files. */
  loose?: LooseFiles | ConversationCopies
  /** The user's price settings; list prices if left out. */
  prices?: PriceOverrides
  /** Contents of the first bytes of its files, by absolute path, as far as known; stored with them. */
  heads?: Record<string, FileHead>
}

/** A group as stored in the index. */
export interface IndexedGroup {
  id: string
  fingerprint: string
  sessions: SessionRecord[]
  /** Why the group could not be indexed; then `sessions` is empty. */
  failure: string | null
  /**
   * Files that could not be read. What the index had of the group before stays, else `sessions` is what could be read; neither counts as
   * read. Left out if there are none.
   */
  unread?: UnreadFile[]
}

/** Called for each indexed group, with how long reading it took. */
export type OnIndexed = (group: IndexedGroup, tookMs: number) => void

/** Files of an Antigravity CLI conversation: in one Gemini folder, or copied to several. */
export interface ConversationCopies {
  kind: 'conversation'
  places: {
    home: string
    id: string
    /** Location of the files if they are archived copies of files missing from the Gemini folder, and why they are missing. */
    kept?: { root: string; copy: KeptCopy }
    /** The same for its database, if only that is missing. */
    keptDatabase?: { root: string; copy: KeptCopy }
  }[]
}

/** What the index stores of one session, besides its searchable text. Plain JSON. */
export interface SessionRecord {
  /** `project` is empty: only the whole Gemini folder can determine the project. */
  summary: SessionSummary
  /** Additional keys of the session. */
  ownKeys: string[]
  /** For each file of `summary.files`. */
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
  /** `Session.forkedFrom` */
  forkedFrom: string | null
  directories: string[]
  buckets: UsageBucket[]
  /** `SessionReasons` as JSON, since there are many and few are requested; '': nothing in it has a price. */
  reasons: string
  tools: ToolStats[]
  /** Number of files and images attached to its prompts. */
  attachments: number
  issues: InFile<ParseIssue>[]
  drift: InFile<DriftNote>[]
}

/** A question about one session. Only the program knows its type and arguments. */
export interface SessionAsk {
  question: string
  args: {
    /** The current files of the session. */
    source: IndexGroup
    /** The key derived from its own files. */
    ownKey: string
  }
}

/** The sessions of growing files, as last read. */
export interface HeldSessions {
  sessions: readonly Session[]
  /** Their files. */
  putAside: readonly { path: string; texts: PutAsideTexts }[]
}

/** Where a long value was cut out of a message: path of fields, length, and a checksum to recognize it. */
export type TextCut = [path: (string | number)[], length: number, checksum: number]

/** A message as stored: values longer than 1 KB are cut. */
export interface StoredMessage {
  /** Position in the session. */
  ordinal: number
  message: Message
  cuts: TextCut[]
  /** Location of its record; null: in no file, or it requires the whole file. */
  record: { file: DiscoveredFile; start: number; end: number } | null
}

/** The stored data of one session. */
export interface StoredMessages {
  /** What was derived from all its messages, as JSON in UTF-8. null: not a long session. */
  derived(name: string): Uint8Array | null
  /** All messages in order, as stored: values longer than 1 KB are cut. */
  all(): Iterable<Message>
  /** In the given order; missing ones are left out. */
  at(ordinals: readonly number[]): StoredMessage[]
  withKey(key: string): StoredMessage | null
  /** Of the message with this key, else of the first whose key starts with it. */
  ordinalOf(beginning: string): number | null
  /** The first message with this call. */
  withCall(id: string): StoredMessage | null
  /**
   * The messages with all cut values, read from their records. null: a file has changed, or a record lacks what other files of the session
   * add.
   */
  whole(stored: readonly StoredMessage[]): Message[] | null
  /** The bytes of a message's record. null: the file has changed, or the record requires the whole file. */
  recordOf(stored: StoredMessage): Uint8Array | null
}

/** The size from which a session is long, by bytes of its files or by messages. */
export interface LongFrom {
  bytes: number
  messages: number
}

/** What the program computes from sessions, in the thread that stores them. */
export interface SessionMaker {
  /** What is stored for a long session besides its messages, by name, derived from all of them. Large texts may be placeholders. */
  derive(session: Session, prices: IndexGroup['prices']): [name: string, json: Uint8Array][]
  /** undefined: not a question that is answered here. */
  answerHeld(asked: SessionAsk, held: HeldSessions): Promise<unknown>
  /** undefined: not a question that is answered here, or a file has changed. */
  answerStored(asked: SessionAsk, stored: StoredMessages): Promise<unknown>
}

/** Everything stored about a Gemini folder except messages: what a start compares with the disk. */
export interface StoredHome {
  folders: FoundFolder[]
  groups: StoredGroup[]
}

export interface StoredGroup {
  id: string
  /** The version that `sessions` are valid for; null: its files were found but not read. */
  fingerprint: string | null
  kind: StoredKind
  files: FileEnds[]
  /** See `IndexGroup`. */
  claims?: GroupClaims
  sessions: SessionRecord[]
}

export type StoredKind = 'session' | 'prompts' | 'chat' | 'conversation'

export interface FoundFolder extends Pick<ProjectPlace, 'folder' | 'home' | 'name' | 'marker'> {
  /** What a search of its files for the project's path found, as JSON of the caller; null: not searched. */
  searched: string | null
}

/** Contents of the first and last bytes of a file. */
export interface FileEnds {
  file: DiscoveredFile
  /** null if unknown. */
  head: FileHead | null
  /** The latest time near its end; null: none, or not checked. */
  lastTime: string | null
}

/** What a scan of the Gemini folders found beyond the groups read; stored for the next start and for SQL queries. */
export interface FoundPlaces {
  projects: SessionSummary['project'][]
  folders: FoundFolder[]
  /** Of groups that were not read. */
  unread: { id: string; files: FileEnds[] }[]
}

/** A resolved query: names are replaced by keys, and words such as `yesterday` by instants. */
export interface ResolvedQuery {
  mode: 'words' | 'substring' | 'regex'
  /** Condition for each message: words and filters; in the other modes only filters. null: matches nothing. */
  tree: IndexTree | null
  /** What a substring or regex search looks for in every message that matches the tree. */
  pattern: string
}

export interface IndexSearchRequest extends ResolvedQuery {
  sort: 'recent' | 'relevance'
  limit: number
  /** The page starts after this hit; absent: first page. */
  after?: HitPosition
  /** Whether to count hits by tool and by call status, too. */
  countsCalls?: boolean
  /** Work time per thread after which a search in the files returns what it has found; absent: no limit. */
  limitMs?: number
  /** Where a search in the files that was cut short continues, per shard; null: nothing is left. */
  continueAt?: (ScanPosition | null)[]
  /** Where to end even if there is time: for a further page of a search that ended there. */
  endAt?: (ScanPosition | null)[]
  /** Other trees whose hits to count: facets show the counts without a filter. */
  alsoCount?: (IndexTree | null)[]
}

/** The position of a hit in the order of hits, independent of other hits: paging continues from it while sessions change. */
export interface HitPosition {
  /** Larger is better; 0 for all unless ranked. */
  score: number
  timeMs: number
  sessionKey: string
  /** Position of its message in the session. */
  place: number
  /** `hashGroup` of its group: files copied into another project form a session there with the same key. */
  group: number
  field: SearchField
}

/** The first message that a search in the files of one shard did not reach. Groups are ordered by their newest message. */
export interface ScanPosition {
  /** Time of the newest message of its group that may be a hit. */
  timeMs: number
  /** `hashGroup` of its id. */
  group: number
  /** How many messages of the group were searched. */
  messages: number
}

export interface IndexScan {
  /** Of the files that may have hits, those searched so far. */
  filesDone: number
  filesTotal: number
  /** Messages on which the pattern takes too long. */
  messagesLeftOut: number
  /** Where it continues, per shard; null: it is complete. */
  continueAt: (ScanPosition | null)[] | null
}

export interface IndexSearchOptions {
  /** Stops the search, which then fails with the signal's reason. */
  signal?: AbortSignal
  /** Called with what a substring or regex search has found so far, newest sessions first, until it is done. */
  onPartial?: (partial: IndexSearchResult) => void
}

/** How many hits a query has. */
export interface IndexCounts {
  /** Hits: one per message and field; one for a message that matches by filters only. */
  total: number
  /** Messages with a hit; a title is not a message. */
  messageTotal: number
  sessionTotal: number
  /** Hits per session, on all pages. */
  sessionHits: [sessionKey: string, hits: number][]
  fieldCounts: Record<SearchField, number>
  /** Hits by the UTC quarter hour (milliseconds since 1970) of their message, from which days of any time zone are computed. */
  quarterHourCounts: [quarterHourMs: number, hits: number][]
  /** Hits in messages with a failed call or request, and in superseded ones. */
  stateCounts: { error: number; superseded: number }
  /** Hits in prompts without an answer, which have not failed if their session is still being written. */
  unansweredHits: [sessionKey: string, hits: number][]
  /** Hits by the tools that their messages called; empty if not requested. */
  toolCounts: [tool: string, hits: number][]
  /** The same by call status. */
  statusCounts: [status: string, hits: number][]
}

export interface IndexSearchResult extends IndexCounts {
  /** The requested page. */
  hits: SearchHit[]
  /** Position of each hit. */
  positions: HitPosition[]
  /** There are further hits. */
  hasMore: boolean
  /** For each of `alsoCount`. */
  alsoCounted: IndexCounts[]
  /** null if the files did not have to be searched. */
  scan: IndexScan | null
  notes: string[]
}
