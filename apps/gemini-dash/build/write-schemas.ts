import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answerSchemas } from './answer-schemas.ts'

// npx tsx apps/gemini-dash/build/write-schemas.ts: writes the JSON Schemas of all answers, which the package carries, and the page that lists them.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'apps', 'gemini-dash', 'schemas')
const { files, page } = answerSchemas()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, text] of files) writeFileSync(join(folder, name), text)
writeFileSync(join(root, 'docs', 'api.md'), page)
