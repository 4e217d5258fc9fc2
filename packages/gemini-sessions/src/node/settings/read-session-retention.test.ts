import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSessionRetention } from './read-session-retention.ts'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'retention-'))
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const UNSAID = { enabled: null, maxAgeDays: null, maxCount: null, minRetentionDays: null }

it('reads the retention out of settings with comments, and nothing else', () => {
  writeFileSync(
    join(path, 'settings.json'),
    `{
      // "quoted" comment
      "apiKey": "secret // not a comment",
      "general": { /* ours */ "sessionRetention": { "enabled": true, "maxAge": "2w", "maxCount": 50, }, },
    }`,
  )
  expect(readSessionRetention({ path })).toEqual({
    enabled: true,
    maxAgeDays: 14,
    maxCount: 50,
    minRetentionDays: null,
  })
})

it('says nothing where the settings say nothing', () => {
  expect(readSessionRetention({ path })).toEqual(UNSAID)
  writeFileSync(join(path, 'settings.json'), '{"general":{}}')
  expect(readSessionRetention({ path })).toEqual(UNSAID)
  writeFileSync(join(path, 'settings.json'), 'not json')
  expect(readSessionRetention({ path })).toEqual(UNSAID)
  writeFileSync(join(path, 'settings.json'), '{"general":{"sessionRetention":{"enabled":"yes","maxAge":30}}}')
  expect(readSessionRetention({ path })).toEqual(UNSAID)
})
