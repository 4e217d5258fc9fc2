/**
 * Gemini CLI sessions from disk. Opens files for reading only; nothing under a home is ever written or locked.
 * The README has the table of everything exported.
 * @module
 */

export type { ProjectIdentity } from '../derive/identify-projects.ts'
export type { PathClue } from '../derive/path-clue.ts'
export type { HashText } from '../derive/sha256-hex.ts'
export { withPathClues } from '../derive/with-path-clues.ts'
export type { DiscoveredFile } from './discovered-file.ts'
export { findHomes, type GeminiHome, type HomeQuestion } from './find-homes.ts'
export { type GrowingFileOptions, GrowingSessionFile } from './growing-session-file.ts'
export { isLocalPath } from './is-local-path.ts'
export { listSessions } from './list-sessions.ts'
export type { FoundFile } from './neighbours/found-file.ts'
export { listNeighbours, type NeighbourList } from './neighbours/list-neighbours.ts'
export { type OpenedNeighbour, openNeighbour } from './neighbours/open-neighbour.ts'
export { readNeighbours } from './neighbours/read-neighbours.ts'
export type { ProjectPlace } from './project-place.ts'
export type { PutAsideTexts } from './put-aside-texts.ts'
export { type FileHead, readHeads } from './read-heads.ts'
export { readPromptLogs } from './read-prompt-logs.ts'
export { readSavedChats } from './read-saved-chats.ts'
export { readSessionFile } from './read-session-file.ts'
export { readSessionGroup } from './read-session-group.ts'
export { readSessionRetention, type SessionRetention } from './read-session-retention.ts'
export { type ReadOptions, type ReadSession, readSessions } from './read-sessions.ts'
export { type ProjectHint, resolveProjects } from './resolve-projects.ts'
export type { Scan } from './scan.ts'
export { scanHomes } from './scan-homes.ts'
export { searchPathClues } from './search-path-clues.ts'
export type { SkippedEntry } from './skipped-entry.ts'
export { type HomeSurvey, type SurveyedGroup, surveyHomes } from './survey-homes.ts'
