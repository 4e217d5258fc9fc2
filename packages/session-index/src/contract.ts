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

/** Files that may form one or more sessions together, and are always read together. */
export interface IndexGroup {
  id: string
  /** Changes when any of the files does, and when their calls may cost something else. */
  fingerprint: string
  files: DiscoveredFile[]
  /** What other files and earlier runs say about the keys of its sessions; part of the fingerprint. */
  claims?: GroupClaims | undefined
  /** What else the files are, where they are no session files. */
  loose?: LooseFiles | ConversationCopies
  /** What the user says of prices; list prices where it is left out. */
  prices?: PriceOverrides
  /** What the first bytes of its files tell, by absolute path, as far as it is known; kept with them. */
  heads?: Record<string, FileHead>
}

/** A group as it stands in the index. */
export interface IndexedGroup {
  id: string
  fingerprint: string
  sessions: SessionRecord[]
  /** Why the group could not be indexed; then `sessions` is empty. */
  failure: string | null
  /**
   * Files that the system did not let us read. What the index held of the group before stays then, else `sessions` is
   * what could be read; neither counts as read. Left out where there are none.
   */
  unread?: UnreadFile[]
}

/** Told of each group that was indexed, and how long its reading took. */
export type OnIndexed = (group: IndexedGroup, tookMs: number) => void

/** Files of a conversation of Antigravity CLI: in one home, or copied to several. */
export interface ConversationCopies {
  kind: 'conversation'
  places: {
    home: string
    id: string
    /** Where the files are if they are kept copies of what is missing in the home, and what became of that. */
    kept?: { root: string; copy: KeptCopy }
    /** The same of its database, where that alone is missing. */
    keptDatabase?: { root: string; copy: KeptCopy }
  }[]
}

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
  /** `Session.forkedFrom` */
  forkedFrom: string | null
  directories: string[]
  buckets: UsageBucket[]
  /** `SessionReasons` as JSON, as there are many and few are asked for; '': nothing of it has a price. */
  reasons: string
  tools: ToolStats[]
  /** Files and pictures that were attached to its prompts. */
  attachments: number
  issues: InFile<ParseIssue>[]
  drift: InFile<DriftNote>[]
}

/** A question about one session. What it is and what is asked with it, the program knows. */
export interface SessionAsk {
  question: string
  args: {
    /** The files of the session, as they are. */
    source: IndexGroup
    /** The key that its own files give it. */
    ownKey: string
  }
}

/** The sessions of files that grow, as they were read last. */
export interface HeldSessions {
  sessions: readonly Session[]
  /** Their files. */
  putAside: readonly { path: string; texts: PutAsideTexts }[]
}

/** Where something long was cut out of a message: the fields that lead to it, its length, and a checksum to know it again. */
export type TextCut = [path: (string | number)[], length: number, checksum: number]

/** A message as it is stored: what is longer than 1 KB ends where it was cut. */
export interface StoredMessage {
  /** Position in the session. */
  ordinal: number
  message: Message
  cuts: TextCut[]
  /** Where its record is; null: of no file, or only the whole file tells. */
  record: { file: DiscoveredFile; start: number; end: number } | null
}

/** What is stored of one session. */
export interface StoredMessages {
  /** What was derived of all its messages, as JSON in UTF-8. null: it is no long session. */
  derived(name: string): Uint8Array | null
  /** All of them, in order, as they are stored: what is longer than 1 KB ends where it was cut. */
  all(): Iterable<Message>
  /** In the order given; those that are not there are left out. */
  at(ordinals: readonly number[]): StoredMessage[]
  withKey(key: string): StoredMessage | null
  /** Of the message with this key, else of the first whose key begins so. */
  ordinalOf(beginning: string): number | null
  /** The first message with this call. */
  withCall(id: string): StoredMessage | null
  /**
   * The messages with all that was cut out of them, read from their records. null: a file is not what it was, or a record says
   * less than all files of the session together.
   */
  whole(stored: readonly StoredMessage[]): Message[] | null
  /** The bytes that hold the record of a message. null: the file is not what it was, or only the whole of it tells. */
  recordOf(stored: StoredMessage): Uint8Array | null
}

/** From when on a session counts as long, by bytes of its files or by messages. */
export interface LongFrom {
  bytes: number
  messages: number
}

/** What the program makes of sessions, in the thread that stores them. */
export interface SessionMaker {
  /** What is stored of a long session beside its messages, by name: made of all of them. Large texts may be stand-ins. */
  derive(session: Session, prices: IndexGroup['prices']): [name: string, json: Uint8Array][]
  /** undefined: such a question is not answered here. */
  answerHeld(asked: SessionAsk, held: HeldSessions): Promise<unknown>
  /** undefined: such a question is not answered here, or a file is not what it was. */
  answerStored(asked: SessionAsk, stored: StoredMessages): Promise<unknown>
}

/** All that the tables hold of a home but its messages: what a start compares with the disk. */
export interface StoredHome {
  folders: FoundFolder[]
  groups: StoredGroup[]
}

export interface StoredGroup {
  id: string
  /** By which `sessions` hold; null: its files were found, and not read. */
  fingerprint: string | null
  kind: StoredKind
  files: FileEnds[]
  /** As in `IndexGroup`. */
  claims?: GroupClaims
  sessions: SessionRecord[]
}

export type StoredKind = 'session' | 'prompts' | 'chat' | 'conversation'

export type FoundFolder = Pick<ProjectPlace, 'folder' | 'home' | 'name' | 'marker'>

/** What the first and last bytes of a file told. */
export interface FileEnds {
  file: DiscoveredFile
  /** null: not known. */
  head: FileHead | null
  /** The latest time that stands near its end; null: none does, or nobody looked. */
  lastTime: string | null
}

/** What a look at the homes found beside what was read, kept for the next start and for whoever queries the tables. */
export interface FoundPlaces {
  projects: SessionSummary['project'][]
  folders: FoundFolder[]
  /** Of groups that are not read. */
  unread: { id: string; files: FileEnds[] }[]
}

/** What is looked for. Names are replaced by keys, and words such as `yesterday` by instants. */
export interface ResolvedQuery {
  mode: 'words' | 'substring' | 'regex'
  /** What each message has to fulfil: words and filters; in the other modes filters only. null: nothing. */
  tree: IndexTree | null
  /** What a substring or regex search looks for in every message that fulfils the tree. */
  pattern: string
}

export interface IndexSearchRequest extends ResolvedQuery {
  sort: 'recent' | 'relevance'
  limit: number
  /** The hit that the page begins behind; absent: it is the first page. */
  after?: HitPosition
  /** Hits are to be counted by tool and by how calls ended, too. */
  countsCalls?: boolean
  /** A look at the files themselves ends when each thread has worked for so long, with what it has found; absent: when it is through. */
  limitMs?: number
  /** Where a look at the files that ended so goes on, shard by shard; null: there is nothing left. */
  continueAt?: (ScanPosition | null)[]
  /** Where it is to end although there is time: a further page of the hits that one found which ended there. */
  endAt?: (ScanPosition | null)[]
  /** Other trees whose hits are counted too: facets show what there would be without a filter. */
  alsoCount?: (IndexTree | null)[]
}

/** Where a hit is in the order of hits, which other hits do not change: a place to go on from while sessions change. */
export interface HitPosition {
  /** Larger is better; 0 for all unless ranked. */
  score: number
  timeMs: number
  sessionKey: string
  /** Of its message in the session. */
  place: number
  /** `hashGroup` of its group: files that somebody copied into another project make a session there with the same key. */
  group: number
  field: SearchField
}

/** The first message that a look at the files of one shard did not come to. Groups are in the order of their newest message. */
export interface ScanPosition {
  /** Of the newest message of its group that may be a hit. */
  timeMs: number
  /** `hashGroup` of its id. */
  group: number
  /** How many messages of the group were looked at. */
  messages: number
}

export interface IndexScan {
  /** Of the files that may have hits, those that were looked at, now and before. */
  filesDone: number
  filesTotal: number
  /** Messages on which the pattern takes too long. */
  messagesLeftOut: number
  /** Where it goes on, shard by shard; null: it came to its end. */
  continueAt: (ScanPosition | null)[] | null
}

export interface IndexSearchOptions {
  /** Stops the search; it then fails with the signal's reason. */
  signal?: AbortSignal
  /** What a substring or regex search has found so far, newest sessions first, until it is done. */
  onPartial?: (partial: IndexSearchResult) => void
}

/** How many hits a query has. */
export interface IndexCounts {
  /** Hits: one per message and field; one for a message that fulfils filters only. */
  total: number
  /** Messages with a hit; a title is not a message. */
  messageTotal: number
  sessionTotal: number
  /** Hits of each session over the whole result. */
  sessionHits: [sessionKey: string, hits: number][]
  fieldCounts: Record<SearchField, number>
  /** Hits by the UTC quarter hour (milliseconds since 1970) in which they were said: days of any time zone are made of these. */
  quarterHourCounts: [quarterHourMs: number, hits: number][]
  /** Hits in messages where a call or a request failed, and in those that were taken back. */
  stateCounts: { error: number; superseded: number }
  /** Hits in prompts without an answer. Those of sessions that are still being written have not failed. */
  unansweredHits: [sessionKey: string, hits: number][]
  /** Hits by the tools that their messages called; empty where they were not asked for. */
  toolCounts: [tool: string, hits: number][]
  /** The same by how the calls ended. */
  statusCounts: [status: string, hits: number][]
}

export interface IndexSearchResult extends IndexCounts {
  /** The wanted page. */
  hits: SearchHit[]
  /** Where each of them is in the order of hits. */
  positions: HitPosition[]
  /** There are hits behind them. */
  hasMore: boolean
  /** For each of `alsoCount`. */
  alsoCounted: IndexCounts[]
  /** null where the index knows without a look at the files. */
  scan: IndexScan | null
  notes: string[]
}
