import { describe, expect, test } from 'vitest'
import { escapeControls, escapeJson } from './escape-controls.ts'

const HIDDEN = 'a\u0000\u001b[31m\u009b1m\u202e\u2066\u200b\u{e0001}\u{e0068}z'

describe('what would act on a terminal', () => {
  test('R60, B9: is shown, C1, bidi and tags included', () => {
    expect(escapeControls(HIDDEN)).toBe('a\\x00\\x1b[31m\\x9b1m\\u202e\\u2066\\u200b\\u{e0001}\\u{e0068}z')
  })

  test('R61, B9: is escaped in JSON, which means the same', () => {
    const value = { [HIDDEN]: [HIDDEN, 'line\nend', '金额 👩‍💻'] }
    const escaped = escapeJson(`${JSON.stringify(value)}\n`)
    expect(escaped).toMatch(/^[^\p{Cc}\u202e\u2066\u200b\u{e0000}-\u{e007f}]*\n$/u)
    expect(escaped).toContain('\\udb40\\udc68')
    expect(escaped).toContain('金额 👩‍💻')
    expect(JSON.parse(escaped)).toEqual(value)
  })
})
