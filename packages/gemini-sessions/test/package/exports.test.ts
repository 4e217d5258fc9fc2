import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { readReadme } from './read-readme.ts'

const ENTRIES = ['index.ts', 'node/index.ts'].map((path) =>
  fileURLToPath(new URL(`../../src/${path}`, import.meta.url)),
)

interface Exported {
  name: string
  documentation: string
}

const exported = readExports()

describe.each(exported.map((symbols, index) => ({ entry: ['.', './node'][index], symbols })))(
  'the entry $entry',
  ({ symbols }) => {
    it('says of everything that it exports what it is', () => {
      const documented = new Set(
        symbols.filter(({ documentation }) => documentation !== '').map(({ name }) => name),
      )
      // A schema is documented by its type.
      const missing = symbols.filter(
        ({ name }) => !documented.has(name) && !documented.has(typeOfSchema(name)),
      )
      expect(missing.map(({ name }) => name)).toEqual([])
    })

    it('is in the table of the README, name by name', () => {
      expect(symbols.map(({ name }) => name).filter((name) => !namesInTables().has(name))).toEqual([])
    })
  },
)

it('the table of the README names nothing that is not exported', () => {
  const names = new Set(exported.flat().map(({ name }) => name))
  expect([...namesInTables()].filter((name) => !names.has(name))).toEqual([])
})

function typeOfSchema(name: string): string {
  const type = name.replace(/Schema$/, '')
  return type === name ? '' : type.charAt(0).toUpperCase() + type.slice(1)
}

/** Every `name` in the first column of the tables under "API". */
function namesInTables(): Set<string> {
  const section = /^## API\n([\s\S]*?)(?=^## )/m.exec(readReadme())?.[1] ?? ''
  const cells = [...section.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell]) => cell ?? '')
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name ?? '')))
}

function readExports(): Exported[][] {
  const program = ts.createProgram(ENTRIES, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  return ENTRIES.map((entry) => {
    const source = program.getSourceFile(entry)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${entry} exports nothing`)
    return checker.getExportsOfModule(module).map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const documentation = ts.displayPartsToString(target.getDocumentationComment(checker))
      return { name: symbol.name, documentation }
    })
  })
}
