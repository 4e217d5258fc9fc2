import { ANSWERS, SCHEMA_VERSION, SHARED_SHAPES } from '@gemini-dash/api'
import { z } from 'zod'

/** JSON Schemas of all answers by the name of their file, and the page that lists them: what `build/write-schemas.ts` writes. */
export interface AnswerSchemas {
  files: ReadonlyMap<string, string>
  page: string
}

export function answerSchemas(): AnswerSchemas {
  const registry = z.registry<{ id: string; description?: string }>()
  const named = Object.entries({ ...answersByName(), ...SHARED_SHAPES })
  for (const [id, schema] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `${id}.json`,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => open(jsonSchema),
  })
  const files = Object.entries(schemas).map(([id, schema]) => {
    const isAnswer = Object.hasOwn(ANSWERS, id) && 'schemaVersion' in (schema.properties ?? {})
    const required = [...(isAnswer ? ['schemaVersion'] : []), ...(schema.required ?? [])]
    return [`${id}.json`, `${toLines({ title: id, ...schema, required })}\n`] as const
  })
  return { files: new Map(files), page: pageOf(new Map(Object.entries(schemas))) }
}

/** A line for each field of an answer: with one for each word of JSON they are twice as large, and are shipped. */
function toLines(schema: object): string {
  const lines = Object.entries(schema).map(([name, value]) => {
    const isFields = name === 'properties' && typeof value === 'object' && value !== null
    return `${JSON.stringify(name)}: ${isFields ? `{\n${fieldLines(value)}\n}` : JSON.stringify(value)}`
  })
  return `{\n${lines.join(',\n')}\n}`
}

function fieldLines(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

function answersByName(): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(ANSWERS).map(([name, { schema }]) => [name, schema]))
}

/** Fields are added freely, so a reader must not refuse what it does not know. */
function open(jsonSchema: { additionalProperties?: unknown }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function pageOf(schemas: ReadonlyMap<string, { properties?: object }>): string {
  const rows = Object.entries(ANSWERS).map(([name, { of }]) => {
    const fields = Object.keys(schemas.get(name)?.properties ?? {}).filter(
      (field) => field !== 'schemaVersion',
    )
    return `| [${name}](../apps/gemini-dash/schemas/${name}.json) | ${of.map((place) => `\`${place}\``).join(' ')} | ${fields.join(', ')} |`
  })
  return `# Answers as JSON

<!-- Written by \`npx tsx apps/gemini-dash/build/write-schemas.ts\`; a test compares it. -->

What \`--json\` prints and the HTTP API answers, each with its JSON Schema (2020-12). The schemas are shipped in the package:
\`node_modules/gemini-dash/schemas/SessionList.json\`. They are open, so a validator accepts fields that come later: whoever reads answers
ignores what it does not know. \`schemaVersion\` is ${SCHEMA_VERSION}, until a field is dropped or means something else; answers of a
program are held to the schemas of the release before it by a test. Addresses, parameters, exit codes and the rules behind the numbers stand in
[contract.md](contract.md).

| schema | of | fields |
|---|---|---|
${rows.join('\n')}

Shapes that answers share: ${Object.keys(SHARED_SHAPES)
    .map((name) => `[${name}](../apps/gemini-dash/schemas/${name}.json)`)
    .join(', ')}.
`
}
