import { CACHE_FORMAT, type IndexGroup } from '@gemini-dash/session-index'
import { OpenedFolder, type TellProblem } from './opened-folder.ts'
import { type Skeleton, skeletonName, skeletonStamp } from './skeleton.ts'
import { readSkeletonText, toSkeletonLine, writeSkeletonText } from './skeleton-text.ts'

/** Skeletons of large sessions on disk, one file a group. */
export class SkeletonFolder {
  readonly #folder: OpenedFolder
  readonly #format: string

  /** @param format of what is written here; what has another is made anew */
  constructor(directory: string, format = CACHE_FORMAT.files, tellProblem: TellProblem = () => {}) {
    this.#folder = new OpenedFolder(directory, tellProblem)
    this.#format = format
  }

  /** null: there is none of these files as they are now. */
  async read(source: IndexGroup): Promise<Skeleton | null> {
    const bytes = await this.#folder.read(skeletonName(source.id))
    try {
      return bytes && readSkeletonText(bytes, skeletonStamp(source, this.#format))
    } catch {
      return null
    }
  }

  /** There is one of these files as they are now; whether it is whole, reading it tells. */
  holds(source: IndexGroup): Promise<boolean> {
    const firstLine = toSkeletonLine(skeletonStamp(source, this.#format))
    return this.#folder.beginsWith(skeletonName(source.id), firstLine)
  }

  /** Only if the files are, and have been for some time, what they were when somebody looked at them for `source`. */
  write(source: IndexGroup, skeleton: Skeleton): Promise<void> {
    const pieces = writeSkeletonText(skeleton, skeletonStamp(source, this.#format))
    return this.#folder.write(skeletonName(source.id), source, pieces)
  }

  remove({ id }: Pick<IndexGroup, 'id'>): Promise<void> {
    return this.#folder.remove(skeletonName(id))
  }
}
