import { statSync } from 'node:fs'
import type { DiscoveredFile } from '../../src/node/scan/scan.ts'
import { readSessionFile } from '../../src/node/session-file.ts'
import { readHeads } from '../../src/node/survey.ts'

export interface ReadingFigures {
  messages: number
  issues: number
  milliseconds: number
  /** Size of the parsed file, once everything else is collected. */
  keptBytes: number
  /** Peak memory in use beyond that, on and off the heap. */
  beyondBytes: number
  /** The same by resident memory of the process, which includes memory that is free but not returned. */
  residentBeyondBytes: number
}

// node --expose-gc --import tsx measure-reading.ts FILE [heads]: prints the figures as JSON.
const [path = '', what = 'file'] = process.argv.slice(2)
const { gc } = globalThis
if (!gc) throw new Error('Memory can only be measured under --expose-gc.')
process.stdout.write(JSON.stringify(await measure(path, gc)))

async function measure(absolutePath: string, collect: () => void): Promise<ReadingFigures> {
  const file = toDiscovered(absolutePath)
  // Loads the code and warms the caches of the runtime before measuring.
  await readSessionFile({ ...file, absolutePath: `${absolutePath}.none` })
  collect()
  const base = usedBytes()
  const baseResident = process.memoryUsage.rss()
  let peak = base
  const watch = watchAllocations(() => {
    peak = Math.max(peak, usedBytes())
  })
  const startedAt = performance.now()
  const answer = what === 'heads' ? await readHeads([file]) : await readSessionFile(file)
  const milliseconds = performance.now() - startedAt
  watch.stop()
  peak = Math.max(peak, usedBytes())
  const residentPeak = process.resourceUsage().maxRSS * 1024
  collect()
  const keptBytes = usedBytes() - base
  const isFile = answer !== null && 'messages' in answer
  return {
    messages: isFile ? answer.messages.length : 0,
    issues: isFile ? answer.issues.length : 0,
    milliseconds,
    keptBytes,
    beyondBytes: peak - base - keptBytes,
    residentBeyondBytes: residentPeak - baseResident - keptBytes,
  }
}

/** Checks whenever a chunk of the file was requested: between two chunks all work is synchronous. */
function watchAllocations(look: () => void): { stop: () => void } {
  let isWatching = true
  const again = (): void => {
    look()
    if (isWatching) setImmediate(again)
  }
  setImmediate(again)
  return {
    stop: () => {
      isWatching = false
    },
  }
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function toDiscovered(absolutePath: string): DiscoveredFile {
  const { size } = statSync(absolutePath)
  const place = { home: '/', path: absolutePath.slice(1), absolutePath, projectFolder: '/' }
  return { ...place, sizeBytes: size, mtimeMs: 0, mtimeNs: '0', ctimeNs: '0', inode: '1' }
}
