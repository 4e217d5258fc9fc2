import type { SearchHit } from '@gemini-dash/api'
import type { UnreadFile } from 'gemini-sessions'
import type {
  FoundPlaces,
  IndexedGroup,
  IndexGroup,
  IndexSearchRequest,
  LongFrom,
  SessionAsk,
} from '../contract.ts'
import type { DriverChoice } from '../driver.ts'
import type { CloseWord } from '../find/close-words.ts'
import type { CommandQuery, EditQuery, FoundCommand, FoundEdit } from '../find/find-calls.ts'
import type { TouchedPath } from '../find/find-rows.ts'
import type { HitReference, ShardFound } from '../find/hits.ts'
import type { FolderOwner } from '../folder-owner.ts'
import type { PackedHome } from '../store/stored-home.ts'

export type HeldGroup = [groupId: string, fingerprint: string]

/** What the main thread asks of a shard's worker, and what it answers. */
export interface ShardCalls {
  /** What it is to open, before anything else. */
  open: { argument: OpenedShard; answer: null }
  /** To see whether it still answers. */
  ping: { argument: null; answer: null }
  load: { argument: null; answer: PackedHome }
  /** Answered when each of the groups is indexed, or replaced by a later update. */
  update: { argument: IndexGroup[]; answer: null }
  remove: { argument: string[]; answer: null }
  note: { argument: FoundPlaces; answer: null }
  /** What it holds is lost, and the file in which it was. */
  beginAnew: { argument: null; answer: null }
  /** Tells what it finds on the way by `partial`. */
  find: { argument: IndexSearchRequest; answer: ShardFound }
  /** Stops the `find` of that id; what it has found is its answer. */
  cancel: { argument: number; answer: null }
  closestWords: { argument: string[]; answer: CloseWord[][] }
  /** About one session; null: whoever asks reads its files. */
  ask: { argument: SessionAsk; answer: { answer: unknown } | null }
  touchedPaths: { argument: string; answer: TouchedPath[] }
  commands: { argument: CommandQuery; answer: FoundCommand[] }
  edits: { argument: EditQuery; answer: FoundEdit[] }
  describe: { argument: { request: IndexSearchRequest; references: HitReference[] }; answer: SearchHit[] }
  /** The file belongs to another process now. */
  leaveDisk: { argument: null; answer: null }
  /** Closes the file, after which nothing else is answered. false: there is work to do, or it is all in memory. */
  rest: { argument: null; answer: boolean }
  close: { argument: null; answer: null }
}

export type ShardCallName = keyof ShardCalls

/** `id` ties answers to requests. */
export type ShardRequest = {
  [Name in ShardCallName]: { id: number; name: Name; argument: ShardCalls[Name]['argument'] }
}[ShardCallName]

export type ShardMessage =
  /** It has opened its database, which holds these groups. */
  | { kind: 'ready'; held: HeldGroup[]; problem: string | null }
  /** What was stored of these groups is gone with a database that failed. */
  | { kind: 'lost'; groupIds: string[] }
  /** A search met files that cannot be read now; told before its answer. */
  | { kind: 'unread'; groupId: string; files: UnreadFile[] }
  /** Why what it holds cannot be kept on disk; null: it is kept. */
  | { kind: 'problem'; problem: string | null }
  /** A group is being read now: if the worker dies, this one is to blame. */
  | { kind: 'reading'; groupId: string }
  | { kind: 'indexed'; id: number; group: IndexedGroup }
  | { kind: 'partial'; id: number; found: ShardFound }
  | { kind: 'answer'; id: number; answer: ShardCalls[ShardCallName]['answer'] }
  | { kind: 'failure'; id: number; message: string }

/** What a thread opens. */
export interface OpenedShard {
  path: string | null
  /** Stands in what is known of each database of the folder. */
  folderId: string
  owner?: FolderOwner | undefined
  driver: DriverChoice
  /** Above zero while somebody waits for a session that is being opened: nothing is read meanwhile. */
  openings?: Int32Array | undefined
  longFrom?: LongFrom | undefined
}
