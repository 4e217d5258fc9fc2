import type { Warning } from '@gemini-dash/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { WarningList } from './warnings.ts'

describe('the list of warnings', () => {
  let told: Warning[]
  let changes: number
  let list: WarningList

  beforeEach(() => {
    told = []
    changes = 0
    list = new WarningList((warning) => told.push(warning))
    list.onChange(() => (changes += 1))
  })

  it('keeps one warning a code, the last said', () => {
    list.warn({ code: 'watch-limit', message: '8,192 folders are watched.', advice: 'Raise it.' })
    list.warn({ code: 'files-unread', message: '2 files.' })
    list.warn({ code: 'files-unread', message: '3 files.' })
    expect(list.all()).toEqual([
      { code: 'watch-limit', message: '8,192 folders are watched.', advice: 'Raise it.' },
      { code: 'files-unread', message: '3 files.', advice: null },
    ])
  })

  it('tells a code once as long as it holds, and again when it comes back', () => {
    list.warn({ code: 'files-unread', message: '2 files.' })
    list.warn({ code: 'files-unread', message: '3 files.' })
    expect(told.map(({ message }) => message)).toEqual(['2 files.'])
    list.clear('files-unread')
    expect(list.all()).toEqual([])
    list.warn({ code: 'files-unread', message: '3 files.' })
    expect(told.map(({ message }) => message)).toEqual(['2 files.', '3 files.'])
  })

  it('announces what changes what it holds, and nothing else', () => {
    list.clear('files-unread')
    expect(changes).toBe(0)
    list.warn({ code: 'files-unread', message: '2 files.' })
    list.warn({ code: 'files-unread', message: '2 files.' })
    expect(changes).toBe(1)
    list.warn({ code: 'files-unread', message: '2 files.', advice: 'Look.' })
    list.clear('files-unread')
    expect(changes).toBe(3)
  })
})
