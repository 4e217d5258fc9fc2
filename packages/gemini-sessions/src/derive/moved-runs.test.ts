import { describe, expect, it } from 'vitest'
import type { MovableFile } from './files.ts'
import { groupFiles, projectOfGroup } from './files.ts'

const [SHOP, STORE, OTHER] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string]

let count = 0
/** A log of this project; `movedFrom`: as written by `gemini-dash move`. */
function log(projectKey: string, projectHash: string, more: Partial<MovableFile> = {}): MovableFile {
  count += 1
  const path = `tmp/${projectKey}/chats/session-2026-11-21T20-30-${String(count).padStart(8, '0')}.jsonl`
  return { path, projectKey, sessionId: 'x.1', projectHash, ...more }
}
const agentOf = (projectKey: string): MovableFile => ({
  path: `tmp/${projectKey}/chats/x_1/agent.jsonl`,
  projectKey,
  sessionId: 'agent',
})
const groups = (...files: MovableFile[]) =>
  [...groupFiles(files)].map(([key, members]) => [projectOfGroup(key), members.length])

describe('the files of a session that was moved', () => {
  it('are those of the project it was moved to, sub-agents too', () => {
    const moved = log('store', STORE, { movedFrom: [SHOP] })
    const origin = log('shop', SHOP)
    expect(groups(origin, moved, agentOf('shop'), agentOf('store'))).toEqual([
      ['store', 2],
      ['store', 2],
    ])
    expect(groups(moved, origin)).toEqual([['store', 2]])
  })

  it('follow the last of several moves, also one back', () => {
    const first = log('store', STORE, { movedFrom: [SHOP] })
    const on = log('other', OTHER, { movedFrom: [SHOP, STORE] })
    const back = log('shop', SHOP, { movedFrom: [SHOP, STORE, OTHER] })
    expect(groups(log('shop', SHOP), first, on)).toEqual([['other', 3]])
    expect(groups(log('shop', SHOP), first, on, back)).toEqual([['shop', 4]])
  })

  it('go back with a copy that is gone, as far as an origin is left', () => {
    const gone = log('store', STORE, { movedFrom: [SHOP], isKept: true })
    expect(groups(log('shop', SHOP), gone)).toEqual([['shop', 2]])
    expect(groups(log('shop', SHOP, { isKept: true }), gone)).toEqual([['store', 2]])
  })

  it('are no files of another project that happens to know the id, and no plain copies', () => {
    const moved = log('store', STORE, { movedFrom: [SHOP] })
    expect(groups(moved, log('other', OTHER)).sort()).toEqual([
      ['other', 1],
      ['store', 1],
    ])
    expect(groups(log('shop', SHOP), log('store', SHOP)).length).toBe(2)
  })
})
