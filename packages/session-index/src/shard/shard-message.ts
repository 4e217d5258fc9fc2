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

/** Requests of the main thread to a shard's worker, and the answers. */
export interface ShardCalls {
  /** What to open, before anything else. */
  open: { argument: OpenedShard; answer: null }
  /** Checks that it still answers. */
  ping: { argument: null; answer: null }
  load: { argument: null; answer: PackedHome }
  /** Answered when each group is indexed, or replaced by a later update. */
  update: { argument: IndexGroup[]; answer: null }
  remove: { argument: string[]; answer: null }
  note: { argument: FoundPlaces; answer: null }
  /** Discards its data and its file. */
  beginAnew: { argument: null; answer: null }
  /** Reports intermediate results as `partial`. */
  find: { argument: IndexSearchRequest; answer: ShardFound }
  /** Stops the `find` with that id, which then returns what it has found. */
  cancel: { argument: number; answer: null }
  closestWords: { argument: string[]; answer: CloseWord[][] }
  /** About one session; null: the caller has to read its files. */
  ask: { argument: SessionAsk; answer: { answer: unknown } | null }
  touchedPaths: { argument: string; answer: TouchedPath[] }
  commands: { argument: CommandQuery; answer: FoundCommand[] }
  edits: { argument: EditQuery; answer: FoundEdit[] }
  describe: { argument: { request: IndexSearchRequest; references: HitReference[] }; answer: SearchHit[] }
  /** The file belongs to another process now. */
  leaveDisk: { argument: null; answer: null }
  /** Closes the file, after which nothing else is answered. false: it is busy, or in memory. */
  rest: { argument: null; answer: boolean }
  close: { argument: null; answer: null }
}

export type ShardCallName = keyof ShardCalls

/** `id` matches answers to requests. */
export type ShardRequest = {
  [Name in ShardCallName]: { id: number; name: Name; argument: ShardCalls[Name]['argument'] }
}[ShardCallName]

export type ShardMessage =
  /** Its first message: the system id of its thread. */
  | { kind: 'thread'; number: number }
  /** It has opened its database, which has these groups. */
  | { kind: 'ready'; held: HeldGroup[]; problem: string | null }
  /** The stored data of these groups was lost with a failed database. */
  | { kind: 'lost'; groupIds: string[] }
  /** A search found files that cannot be read at the moment; sent before its answer. */
  | { kind: 'unread'; groupId: string; files: UnreadFile[] }
  /** Why its data cannot be stored on disk; null: it is stored. */
  | { kind: 'problem'; problem: string | null }
  /** A group is about to be read: if the worker dies, this is the suspect. */
  | { kind: 'reading'; groupId: string }
  | { kind: 'indexed'; id: number; group: IndexedGroup }
  | { kind: 'partial'; id: number; found: ShardFound }
  | { kind: 'answer'; id: number; answer: ShardCalls[ShardCallName]['answer'] }
  | { kind: 'failure'; id: number; message: string }

/** What a thread has to open. */
export interface OpenedShard {
  path: string | null
  /** Part of the sum of each database in the folder. */
  folderId: string
  owner?: FolderOwner | undefined
  driver: DriverChoice
  /** Above zero while somebody waits for a session to open: nothing is read meanwhile. */
  openings?: Int32Array | undefined
  longFrom?: LongFrom | undefined
}
