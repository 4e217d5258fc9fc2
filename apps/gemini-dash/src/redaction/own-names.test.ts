import { homedir, hostname } from 'node:os'
import { basename, join } from 'node:path'
import { redactText } from '@gemini-dash/redact'
import { expect, test } from 'vitest'
import { ownNames } from './own-names.ts'

test('this home, its user and this host are taken out of a text, where they stand in paths and addresses', () => {
  const names = ownNames()
  expect(names.homes).toContain(homedir())
  expect(names.userNames).toContain(basename(homedir()))
  const text = `in ${join(homedir(), 'shop')} on http://${hostname()}:8080/`
  expect(redactText(text, names).text).toBe('in ~/shop on http://[host]:8080/')
})
