import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTrustedFolder } from './folder.ts'

const isRoot = process.getuid?.() === 0
/** Neither this user nor the system. */
const ANOTHER_USER = 12_345

describe('B14: a folder of our own', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-trusted-'))
    mkdirSync(join(folder, 'real'), { mode: 0o700 })
    writeFileSync(join(folder, 'file'), '')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is made for this user only', () => {
    openTrustedFolder(join(folder, 'new', 'cache'))
    expect(statSync(join(folder, 'new', 'cache')).mode & 0o777).toBe(0o700)
  })

  it('may be reached by links of this user', () => {
    symlinkSync(join(folder, 'real'), join(folder, 'dot-cache'))
    symlinkSync('dot-cache', join(folder, 'again'))
    openTrustedFolder(join(folder, 'again', 'cache'))
    expect(existsSync(join(folder, 'real', 'cache'))).toBe(true)
    openTrustedFolder(join(folder, 'again'))
  })

  it.skipIf(!isRoot)('is none behind a link that another user made, on the way or at its end', () => {
    symlinkSync(join(folder, 'real'), join(folder, 'foreign'))
    lchownSync(join(folder, 'foreign'), ANOTHER_USER, ANOTHER_USER)
    symlinkSync('foreign', join(folder, 'own'))
    for (const path of ['foreign', 'foreign/cache', 'own'])
      expect(() => openTrustedFolder(join(folder, path)), path).toThrow(
        /foreign is a link that another user made/,
      )
    expect(existsSync(join(folder, 'real', 'cache'))).toBe(false)
  })

  it.skipIf(!isRoot)('is none that another user owns', () => {
    lchownSync(join(folder, 'real'), ANOTHER_USER, ANOTHER_USER)
    expect(() => openTrustedFolder(join(folder, 'real'))).toThrow('belongs to another user')
  })

  it('is none that everybody may write to, but below one where nobody moves what is another’s', () => {
    chmodSync(join(folder, 'real'), 0o777)
    expect(() => openTrustedFolder(join(folder, 'real'))).toThrow(/^everybody may write to /)
    chmodSync(join(folder, 'real'), 0o1777)
    expect(() => openTrustedFolder(join(folder, 'real'))).not.toThrow()
  })

  it('is none in the place of a file, below one, or behind links in a circle', () => {
    for (const path of ['file', 'file/cache', 'file/more/cache'])
      expect(() => openTrustedFolder(join(folder, path)), path).toThrow(/file is a file, not a folder$/)
    symlinkSync('two', join(folder, 'one'))
    symlinkSync('one', join(folder, 'two'))
    expect(() => openTrustedFolder(join(folder, 'one'))).toThrow('leads nowhere')
  })
})
