import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { answerSchemas } from './answer-schemas.ts'

// The build runs this with tsx after Vite, whose configuration cannot import sources of other packages.
const folder = new URL('../dist/schemas/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, text] of answerSchemas()) writeFileSync(fileURLToPath(new URL(name, folder)), text)
