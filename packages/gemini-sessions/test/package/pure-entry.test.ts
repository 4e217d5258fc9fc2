import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const pure = compileForBrowser('../../src/index.ts')
const forNode = compileForBrowser('../../src/node/index.ts')

it('imports nothing but zod', () => {
  expect(pure.getSourceFiles().length).toBeGreaterThan(50)
  expect(foreignImports(pure)).toEqual(['zod'])
})

it('uses nothing that only Node has', () => {
  expect(complaints(pure)).toEqual([])
})

it('would notice both: the entry for Node is not pure', () => {
  expect(foreignImports(forNode)).toContain('node:fs')
  expect(complaints(forNode, 'node/files.ts')).toContainEqual(
    expect.stringMatching(/Cannot find name 'Buffer'/),
  )
})

/** An entry as compiled for a page: without Node's types, `process`, `Buffer` and the like are unknown. */
function compileForBrowser(entry: string): ts.Program {
  return ts.createProgram([fileURLToPath(new URL(entry, import.meta.url))], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  })
}

/** Imported and exported modules that are not our own. */
function foreignImports(program: ts.Program): string[] {
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'))
  const names = own.flatMap((source) =>
    ts.preProcessFile(source.text).importedFiles.map((file) => file.fileName),
  )
  return [...new Set(names.filter((name) => !name.startsWith('.')))].sort()
}

function complaints(program: ts.Program, fileName = ''): string[] {
  return program
    .getSourceFiles()
    .filter((source) => !program.isSourceFileDefaultLibrary(source) && source.fileName.endsWith(fileName))
    .flatMap((source) => program.getSemanticDiagnostics(source))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
