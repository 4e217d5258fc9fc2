/**
 * Gemini CLI sessions from disk. Opens files only for reading; never writes or locks anything in a Gemini folder. The README has the table
 * of everything exported.
 * @module
 */

export type { PathClue } from '../derive/path-clue.ts'
export type { ProjectIdentity } from '../derive/projects.ts'
export { tellApart, withPathClues } from '../derive/projects.ts'
export type { HashText } from '../derive/sha256.ts'
export {
  readSandboxSetting,
  readSessionRetention,
  type SandboxSetting,
  type SessionRetention,
  type Setting,
  settingsPath,
} from './cli-settings.ts'
export { explainFault, isLocalPath, ReadFault, SessionsError, TimeSlice } from './files.ts'
export {
  listSessions,
  type ReadOptions,
  type ReadSession,
  readFirstTimes,
  readLastTimes,
  readSessions,
} from './list-sessions.ts'
export { type LooseFiles, readLooseSessions } from './loose.ts'
export type { FoundFile } from './neighbours.ts'
export {
  type BesideFile,
  listBeside,
  listNeighbours,
  type NeighbourList,
  type OpenedNeighbour,
  openNeighbour,
  readNeighbours,
} from './neighbours.ts'
export {
  type AntigravityTrace,
  findAntigravity,
  findHomes,
  type GeminiHome,
  type HomeQuestion,
  scanHomes,
} from './scan/find-homes.ts'
export { findStrays } from './scan/find-strays.ts'
export type { DiscoveredFile, ProjectPlace, Scan, ScannedConversation, SkippedEntry } from './scan/scan.ts'
export {
  type GrowingFileOptions,
  GrowingSessionFile,
  GrowingSessionGroup,
  type ReadMessage,
  readMessages,
  readSessionBeginning,
  readSessionFile,
  readSessionGroup,
} from './session-file.ts'
export {
  type FileHead,
  type HomeSurvey,
  type ProjectHint,
  readHeads,
  resolveProjects,
  type SearchedPaths,
  type SurveyedGroup,
  searchPathClues,
  surveyHomes,
  toPlannedFile,
  withRepository,
} from './survey.ts'
export type { PutAsideTexts, SavedTexts } from './texts.ts'
export { type FilePart, reopenTexts, streamFilePart } from './texts.ts'
