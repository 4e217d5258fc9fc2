import type { Warning } from '@gemini-dash/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { WarningBook } from './warning-book.ts'

describe('the book of warnings', () => {
  let told: Warning[]
  let changes: number
  let book: WarningBook

  beforeEach(() => {
    told = []
    changes = 0
    book = new WarningBook((warning) => told.push(warning))
    book.onChange(() => (changes += 1))
  })

  it('keeps one warning a code, the last said', () => {
    book.warn({ code: 'watch-limit', message: '8,192 folders are watched.', advice: 'Raise it.' })
    book.warn({ code: 'files-unread', message: '2 files.' })
    book.warn({ code: 'files-unread', message: '3 files.' })
    expect(book.all()).toEqual([
      { code: 'watch-limit', message: '8,192 folders are watched.', advice: 'Raise it.' },
      { code: 'files-unread', message: '3 files.', advice: null },
    ])
  })

  it('tells a code once as long as it holds, and again when it comes back', () => {
    book.warn({ code: 'files-unread', message: '2 files.' })
    book.warn({ code: 'files-unread', message: '3 files.' })
    expect(told.map(({ message }) => message)).toEqual(['2 files.'])
    book.clear('files-unread')
    expect(book.all()).toEqual([])
    book.warn({ code: 'files-unread', message: '3 files.' })
    expect(told.map(({ message }) => message)).toEqual(['2 files.', '3 files.'])
  })

  it('announces what changes what it holds, and nothing else', () => {
    book.clear('files-unread')
    expect(changes).toBe(0)
    book.warn({ code: 'files-unread', message: '2 files.' })
    book.warn({ code: 'files-unread', message: '2 files.' })
    expect(changes).toBe(1)
    book.warn({ code: 'files-unread', message: '2 files.', advice: 'Look.' })
    book.clear('files-unread')
    expect(changes).toBe(3)
  })
})
