import type { DiscoveredFile } from './discovered-file.ts'

/** A folder under `tmp/` that belongs to a project. */
export interface ProjectPlace {
  /** Absolute path of its home, `/` on every system. */
  home: string
  /** Absolute path of the folder. */
  folder: string
  /** Its name: a SHA-256 (up to 0.28) or a slug. */
  name: string
  /** The project's root as `.project_root` says (0.29+), in the folder itself or under `history/`. */
  marker: string | null
  /** `logs.json`: what was typed in interactive mode. */
  logs: DiscoveredFile | null
  /** `checkpoint-<tag>.json`: chats saved by the user. */
  checkpoints: DiscoveredFile[]
}
