import type { DiscoveredFile, Scan } from 'gemini-sessions/node'
import { describe, expect, it } from 'vitest'
import { isSameScan } from './scan.ts'

const FOLDER = '/home/mia/.gemini/tmp/webshop'

function file(fields: Partial<DiscoveredFile> = {}): DiscoveredFile {
  const path = 'tmp/webshop/chats/session-1.jsonl'
  return {
    home: '/home/mia/.gemini',
    path,
    absolutePath: `/home/mia/.gemini/${path}`,
    projectFolder: FOLDER,
    sizeBytes: 1,
    mtimeMs: 0,
    mtimeNs: '0',
    ctimeNs: '0',
    inode: '1',
    ...fields,
  }
}

function scan(files: DiscoveredFile[], place: Partial<Scan['projects'][number]> = {}): Scan {
  const project = { home: '/home/mia/.gemini', folder: FOLDER, name: 'webshop', marker: null, logs: null }
  return { files, projects: [{ ...project, checkpoints: [], ...place }], skipped: [] }
}

describe('two looks at a home', () => {
  it('are the same where nothing was written', () => {
    expect(isSameScan(scan([file()]), scan([file()]))).toBe(true)
  })

  it.each<[string, Scan]>([
    ['a file has grown', scan([file({ sizeBytes: 2 })])],
    ['a file was written again', scan([file({ mtimeNs: '1' })])],
    ['a file was replaced', scan([file({ inode: '2' })])],
    ['a file is elsewhere', scan([file({ absolutePath: '/x' })])],
    ['a file is gone', scan([])],
    ['a file is new', scan([file(), file({ absolutePath: '/x' })])],
    ['a project has a prompt log', scan([file()], { logs: file() })],
    ['a project has a saved chat', scan([file()], { checkpoints: [file()] })],
    ['a project tells its root', scan([file()], { marker: '/code/webshop' })],
  ])('differ where %s', (_, other) => {
    expect(isSameScan(scan([file()]), other)).toBe(false)
    expect(isSameScan(other, scan([file()]))).toBe(false)
  })
})
