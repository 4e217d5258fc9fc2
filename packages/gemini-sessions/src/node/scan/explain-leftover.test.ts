import { describe, expect, it } from 'vitest'
import { explainLeftover, type LeftoverPlace } from './scan.ts'

describe('a file that is not read although its name promises something', () => {
  it.each<[LeftoverPlace, string, string]>([
    ['chats', 'session-2026-11-21T20-30-11111111.jsonl.tmp-4711', 'temporary file of Gemini CLI'],
    ['chats', 'session-2026-11-21T20-30-11111111.json.bak', 'backup by its name'],
    ['chats', 'session-2026-11-21T20-30-11111111.jsonl~', 'backup by its name'],
    ['chats', 'session-2026-11-21T20-30-11111111.jsonl.gz', 'compressed'],
    ['chats', 'session-2026-11-21T20-30-11111111', 'does not end in .json'],
    ['chats', 'session-2026-11-21T20-30-11111111.JSON', 'does not end in .json'],
    ['chats', '._session-2026-11-21T20-30-11111111.json', 'hidden file'],
    ['project', 'session-2026-11-21T20-30-11111111.json', 'outside of chats/'],
    ['tmp', 'session-2026-11-21T20-30-11111111.jsonl', 'outside of chats/'],
    ['project', 'logs.json.invalid_json.1795293056000.bak', 'set aside'],
  ])('in %s: %s', (place, name, words) => {
    const explanation = explainLeftover(name, place)
    expect(explanation?.reason).toContain(words)
    expect(explanation?.advice).toMatch(/^[A-Z].+\.$/)
  })

  it.each<[LeftoverPlace, string]>([
    ['chats', '.DS_Store'],
    ['chats', 'notes.txt'],
    ['project', 'shell_history'],
    ['project', 'settings.json'],
    ['tmp', 'litert-server.log'],
  ])('nothing is said in %s of %s', (place, name) => {
    expect(explainLeftover(name, place)).toBeNull()
  })
})
