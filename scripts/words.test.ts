import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { COMMANDS } from '../apps/gemini-dash/src/terminal/commands.ts'
import { FLAGS } from '../apps/gemini-dash/src/terminal/flags.ts'

/** Outdated terms in user-facing text; the glossary has replacements. */
const OLD_WORDS: readonly RegExp[] = [
  /\btaken back\b/i,
  /\bsummari[sz]ed\b/i,
  /\bcolou?red by\b|\bcolour/i,
  /\b(?:it|that|which|file|folder|session|project|text|picture) (?:lies|stands|goes (?:at|in|with))\b/i,
  /\b(?:still stands?|stands? (?:here|in|there|behind))\b/i,
  /\blast look\b|\blook(?:ed)? again\b|\bwhere it looked\b/i,
  /\bin all\b(?! (?:sessions|projects|of))/i,
  /\bof it\b/i,
  /\b(?:gemini|a|its|the|your|of|under) homes?\b|\bin homes?\b/i,
  /\b(?:own|your) marks\b/i,
  /\b(?:is|are|was|were) told\b|\btells? (?:what|of|nothing)\b/i,
  /^There is no such \w*[.]?$/,
  /\bof the CLI\b|\bthe CLI\b/i,
]

/** Names of commands, options and fields are exempt. */
const EXEMPT = /--[a-z-]+|gemini-dash [a-z]+|\bmarks (?:export|import)\b|"home folders?"|home folders?/g

const words = (text: string) => {
  const said = text.replaceAll(EXEMPT, '')
  return OLD_WORDS.some((word) => word.test(said))
}

test('help says what the glossary says', () => {
  const commands = Object.entries<{ summary: string; notes?: string[] }>(COMMANDS).flatMap(
    ([name, { summary, notes = [] }]) => [summary, ...notes].map((text) => `${name}: ${text}`),
  )
  const flags = Object.entries(FLAGS).map(([name, { help }]) => `--${name}: ${help}`)
  expect([...commands, ...flags].filter(words)).toEqual([])
})

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${ROOT}apps/web/src`
/** Also answers, exports, and what terminals and agents are sent. */
const SPEAKERS = [
  'apps/web',
  'apps/gemini-dash',
  ...['api', 'antigravity-sessions', 'archive', 'gemini-sessions', 'pricing', 'session-index'].map(
    (name) => `packages/${name}`,
  ),
]
/** Messages of the index to itself, and a mark that readers recognize by its words. */
const NOT_READ =
  /^packages\/session-index\/src\/database\/schema\.ts$|^packages\/gemini-sessions\/src\/parse\/json\/bytes\.ts$/

test.each(SPEAKERS)('%s says what the glossary says', (speaker) => {
  const files = readdirSync(`${ROOT}${speaker}/src`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${speaker}/src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !NOT_READ.test(path))
  const found = files.flatMap((path) =>
    textsOf(`${ROOT}${path}`)
      .filter(words)
      .map((text) => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})

/** Each is written where it is drawn; more of them are more to read, and more words for one thing. */
const MOST_TEXTS = 900

test(`the page has at most ${MOST_TEXTS} distinct texts`, () => {
  const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  const texts = new Set(files.flatMap((path) => drawnTexts(`${PAGE}/${path}`)))
  expect(texts.size).toBeGreaterThan(MOST_TEXTS / 2)
  expect(texts.size).toBeLessThanOrEqual(MOST_TEXTS)
})

test('a text of a component is found', () => {
  const plant = (line: string) => textsIn(`export const x = () => ${line}`, isDrawn)
  expect(plant('<p>Nothing here</p>')).toEqual(['Nothing here'])
  expect(plant('<p title="Nothing">{text}</p>')).toEqual(['Nothing'])
  expect(plant('<p>{isAll ? "Show all of them" : text}</p>')).toEqual(['Show all of them'])
  expect(plant('<p className="link large">{text} · {count}</p>')).toEqual([])
})

/** Attributes with text for users. */
const READ_ATTRIBUTES = /^(?:aria-label|title|label|placeholder|alt|what|note|name|heading)$/

/** Texts written directly in a component: between tags, and in text attributes. */
function drawnTexts(path: string): string[] {
  return textsIn(readFileSync(path, 'utf8'), isDrawn)
}

function isDrawn(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return true
  const isWritten =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  if (!isWritten) return false
  for (let at: ts.Node = node.parent; at !== undefined; at = at.parent) {
    if (ts.isJsxAttribute(at)) return READ_ATTRIBUTES.test(at.name.getText())
    if (ts.isPropertyAssignment(at)) return READ_ATTRIBUTES.test(at.name.getText())
    if (ts.isJsxExpression(at) && (ts.isJsxElement(at.parent) || ts.isJsxFragment(at.parent)))
      return /[a-z] [a-z]/i.test(node.text)
    if (ts.isFunctionLike(at) || ts.isCallExpression(at)) return false
  }
  return false
}

function textsIn(source: string, isWanted: (node: ts.Node) => boolean): string[] {
  const file = ts.createSourceFile('x.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const texts: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (isWanted(node)) {
      const text = ('text' in node ? String(node.text) : node.getText()).replaceAll(/\s+/g, ' ').trim()
      if (/[a-z]{2}/i.test(text)) texts.push(text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return texts
}

/** User-facing texts of a file: between tags, and strings of several words. */
function textsOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const texts: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return
    if (ts.isJsxAttribute(node) && node.name.getText() === 'className') return
    if (
      ts.isJsxText(node) ||
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      const text = node.text.replaceAll(/\s+/g, ' ').trim()
      if (text.includes(' ')) texts.push(text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return texts
}
