import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { build } from 'vite'
import type * as Library from '../packages/gemini-sessions/src/index.ts'
import { parseSessionFile, stitchFiles } from '../packages/gemini-sessions/src/index.ts'
import { type FixtureFile, readFixtureFiles } from '../packages/gemini-sessions/test/session-files.ts'
import { watchPage } from './fixtures/page-watch.ts'

const BUILT_ENTRY = fileURLToPath(new URL('../packages/gemini-sessions/dist/index.js', import.meta.url))
const ORIGIN = 'http://library.example'
const CONTENT_POLICY = "default-src 'none'; script-src 'self'; img-src data:"
/** zod tries once whether it may compile checks, and works without where it may not. */
const PROBE_OF_ZOD = 'content policy: script-src eval '

test('gemini-sessions reads in a browser what it reads in Node', async ({ page }) => {
  const files = readFixtureFiles()
  const problems = await watchPage(page, ORIGIN)
  await serve(page, {
    '/': '<!doctype html><title>Library</title><link rel="icon" href="data:,">',
    '/library.js': await bundle(BUILT_ENTRY),
  })
  await page.goto(`${ORIGIN}/`)
  const sessions = await page.evaluate(readInPage, files.map(toBase64))
  expect(sessions.length).toBeGreaterThan(50)
  expect(sessions).toEqual(readInNode(files))
  expect(problems.filter((problem) => problem !== PROBE_OF_ZOD)).toEqual([])
})

/** As an application would ship it: with zod, in one module. */
async function bundle(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
  })
  const [result] = Array.isArray(output) ? output : [output]
  const chunks = result && 'output' in result ? result.output : []
  expect(chunks).toHaveLength(1)
  return chunks[0]?.type === 'chunk' ? chunks[0].code : ''
}

async function serve(page: Page, paths: Record<string, string>): Promise<void> {
  await page.route(`${ORIGIN}/**`, (route) => {
    const path = new URL(route.request().url()).pathname
    return route.fulfill({
      contentType: path.endsWith('.js') ? 'text/javascript' : 'text/html',
      headers: { 'content-security-policy': CONTENT_POLICY },
      body: paths[path] ?? '',
    })
  })
}

/** Runs in the page: bytes in, sessions out. */
async function readInPage(files: { path: string; base64: string }[]): Promise<unknown[]> {
  const location = '/library.js'
  const library: typeof Library = await import(location)
  const parsed = files.map(({ path, base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return library.parseSessionFile({ path, bytes })
  })
  const stitchable = parsed.map((each) => ({ home: '', parsed: each }))
  return JSON.parse(JSON.stringify(library.stitchFiles(stitchable)))
}

function readInNode(files: FixtureFile[]): unknown[] {
  const parsed = files.map(({ path, bytes }) => parseSessionFile({ path, bytes }))
  const stitchable = parsed.map((each) => ({ home: '', parsed: each }))
  return JSON.parse(JSON.stringify(stitchFiles(stitchable)))
}

function toBase64({ path, bytes }: FixtureFile): { path: string; base64: string } {
  return { path, base64: Buffer.from(bytes).toString('base64') }
}
