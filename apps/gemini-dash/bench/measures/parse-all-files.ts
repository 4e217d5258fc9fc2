import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../program/files-below.ts'

/** The obvious way to read sessions, without interpreting them. */
export function parseAllFiles(home: string): void {
  for (const path of filesBelow(join(home, 'tmp'))) {
    if (path.endsWith('.json')) JSON.parse(readFileSync(path, 'utf8'))
    if (path.endsWith('.jsonl'))
      for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
  }
}
