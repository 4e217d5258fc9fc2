import type { NeighbourFile } from '../../model/neighbours.ts'

/** A file beside the sessions, as a listing found it. */
export interface FoundFile {
  file: NeighbourFile
  /** Absolute path of the project's folder, and of the file below it. */
  folder: string
  place: string
}
