import { describe, expect, it } from 'vitest'
import { findDirectories, findWorkspacePaths } from './path-clue.ts'

const told = (text: string) => findWorkspacePaths(JSON.stringify({ content: [{ text }] }))

describe('workspace folders in the session context', () => {
  it('are a list since 0.29', () => {
    const text =
      '- **Workspace Directories:**\n  - /code/shop\n  - /code/with blank\n- **Directory Structure:**\n\n/code/shop/'
    expect(told(text)).toEqual(['/code/shop', '/code/with blank'])
  })

  it('were a sentence before, with one folder or with several', () => {
    expect(told("I'm currently working in the directory: /code/shop\nHere is the folder structure")).toEqual([
      '/code/shop',
    ])
    const several = "I'm currently working in the following directories:\n  - /code/a\n  - /code/b\nHere is"
    expect(told(several)).toEqual(['/code/a', '/code/b'])
  })

  it('may be those of Windows', () => {
    expect(told('- **Workspace Directories:**\n  - C:\\Users\\Mia\\shop\n- **Dir')).toEqual([
      'C:\\Users\\Mia\\shop',
    ])
  })
})

describe('the field `directories`', () => {
  it('is read from a beginning that may be cut anywhere', () => {
    const json = JSON.stringify({ $set: { directories: ['/code/shop', 'C:\\Work', '/code/"quoted"'] } })
    expect(findDirectories(json)).toEqual(['/code/shop', 'C:\\Work', '/code/"quoted"'])
    for (let end = 0; end < json.length; end++) {
      const found = findDirectories(json.slice(0, end))
      expect(found).toEqual(['/code/shop', 'C:\\Work', '/code/"quoted"'].slice(0, found.length))
    }
    expect(findDirectories('{"directories":["\\x"]}')).toEqual([])
  })
})
