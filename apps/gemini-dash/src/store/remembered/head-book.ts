import { type FileStamp, isUnchanged, stampOf } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'
import { type DiscoveredFile, type FileHead, readHeads, readLastTimes } from 'gemini-sessions/node'

/** What the ends of a file told, for the next run. */
export interface KeptEnds {
  stamp: FileStamp
  head: FileHead
  /** The latest time that stands near its end, where one does and somebody looked. */
  lastTime?: string
}

const NO_HEAD: FileHead = {
  sessionId: null,
  projectHash: null,
  firstStartTime: null,
  startTime: null,
  lastUpdated: null,
  kind: null,
  firstPrompt: null,
  directories: [],
  contextPaths: [],
}

/** What the heads and ends of files tell, each read once: by this run, or by an earlier one if the file is as it was. */
export class HeadBook {
  readonly #heads = new Map<string, { identity: string; head: FileHead }>()
  /** What an earlier run knew of files, for those whose head cannot be read now. */
  readonly #earlier = new Map<string, FileHead>()
  readonly #lastTimes = new Map<string, { stamp: FileStamp; lastTime: string }>()

  /** What an earlier run kept of files that it had not read whole. */
  takeKept(files: readonly DiscoveredFile[], kept: readonly KeptEnds[]): void {
    const byPath = new Map(kept.map((ends) => [ends.stamp[0], ends]))
    for (const file of files) {
      const ends = byPath.get(file.absolutePath)
      if (ends === undefined || !isUnchanged(ends.stamp, file)) continue
      this.put(file, ends.head)
      if (ends.lastTime !== undefined)
        this.#lastTimes.set(file.absolutePath, { stamp: ends.stamp, lastTime: ends.lastTime })
    }
  }

  /** `isOfNow`: the file has not changed since. */
  takeEarlier(file: DiscoveredFile, known: Partial<FileHead>, isOfNow: boolean): void {
    const head = { ...NO_HEAD, ...known }
    this.#earlier.set(file.absolutePath, head)
    if (isOfNow && !this.#heads.has(file.absolutePath)) this.put(file, head)
  }

  put(file: DiscoveredFile, head: FileHead): void {
    this.#heads.set(file.absolutePath, { identity: identityOf(file), head })
  }

  /** Reads those that are not known. What the system refused to read. */
  async read(files: readonly DiscoveredFile[]): Promise<UnreadFile[]> {
    const refused: UnreadFile[] = []
    const unread = files.filter((file) => this.known(file) === null)
    const heads = await readHeads(unread, ({ absolutePath }, code) =>
      refused.push({ path: absolutePath, code }),
    )
    for (const [file, head] of heads) this.put(file, head)
    return refused
  }

  /** null: it was not read, or not as it is now. */
  known(file: DiscoveredFile): FileHead | null {
    const known = this.#heads.get(file.absolutePath)
    return known?.identity === identityOf(file) ? known.head : null
  }

  /** As far as anybody knows. */
  headOf({ absolutePath }: DiscoveredFile): FileHead {
    return this.#heads.get(absolutePath)?.head ?? this.#earlier.get(absolutePath) ?? NO_HEAD
  }

  /** The latest time near the end of each file; those that name none have no entry. */
  async lastTimes(files: readonly DiscoveredFile[]): Promise<ReadonlyMap<DiscoveredFile, string>> {
    const known = (file: DiscoveredFile) => {
      const time = this.#lastTimes.get(file.absolutePath)
      return time !== undefined && isUnchanged(time.stamp, file) ? time.lastTime : undefined
    }
    const read = await readLastTimes(files.filter((file) => known(file) === undefined))
    for (const [file, lastTime] of read)
      this.#lastTimes.set(file.absolutePath, { stamp: stampOf(file), lastTime })
    return new Map(
      files.flatMap((file) => {
        const lastTime = known(file)
        return lastTime === undefined ? [] : [[file, lastTime] as const]
      }),
    )
  }

  toKeep(files: readonly DiscoveredFile[]): KeptEnds[] {
    return files.flatMap((file) => {
      const head = this.known(file)
      return head === null
        ? []
        : [{ stamp: stampOf(file), head, lastTime: this.#lastTimes.get(file.absolutePath)?.lastTime }]
    })
  }
}

/**
 * A log's head never changes while it only grows, so size and time do not count once its id is read. A file of the older
 * format is rewritten in place, at times by halves.
 */
function identityOf({ path, inode, sizeBytes, mtimeNs, ctimeNs }: DiscoveredFile): string {
  const isSettled = path.endsWith('.jsonl') && sizeBytes > 4096
  return isSettled ? inode : `${inode}\n${sizeBytes}\n${mtimeNs}\n${ctimeNs}`
}
