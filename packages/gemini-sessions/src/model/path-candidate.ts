import { z } from 'zod'

const pathEvidenceSchema = z.enum([
  'marker', // `.project_root` in the project's folder (0.29+)
  'registry', // `projects.json` (0.29+)
  'hash', // a root known from another folder, whose SHA-256 is this project's
  'trusted-folder', // `trustedFolders.json`
  'directories', // the field of a session file
  'session-context', // the workspace folders in the text that the CLI puts before the first prompt
  'tool-arguments', // a folder that holds what the sessions' tools touched
  'git-root', // the repository in which the touched files lie
  'search', // found on this computer by looking for it
  'user',
])
/** What names a path as a project's root. */
export type PathEvidence = z.infer<typeof pathEvidenceSchema>

/** A folder that may be a project's root, and what speaks for it. */
export type PathCandidate = z.infer<typeof pathCandidateSchema>
export const pathCandidateSchema = z.strictObject({
  path: z.string(),
  evidence: pathEvidenceSchema,
  /** Its SHA-256 is the one that the CLI wrote down. */
  verified: z.boolean(),
  /** How many of the sessions that were looked at name it. */
  sessions: z.number().optional(),
})
