import { ANSWERS, SCHEMA_VERSION, SHARED_SHAPES } from '@gemini-dash/api'
import { z } from 'zod'

/** JSON Schemas of all answers by file name, and the page that lists them. */
export function answerSchemas(): Map<string, string> {
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
  return new Map([...files, ['README.md', pageOf(new Map(Object.entries(schemas)))] as const])
}

/** One line per field of an answer: fully indented JSON is twice as large, and these files are shipped. */
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

/** Fields may be added at any time, so readers must accept unknown ones. */
function open(jsonSchema: { additionalProperties?: unknown }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function pageOf(schemas: ReadonlyMap<string, { properties?: object }>): string {
  const rows = Object.entries(ANSWERS).map(([name, { of }]) => {
    const fields = Object.keys(schemas.get(name)?.properties ?? {}).filter(
      (field) => field !== 'schemaVersion',
    )
    return `| [${name}](${name}.json) | ${of.map((place) => `\`${place}\``).join(' ')} | ${fields.join(', ')} |`
  })
  return `# Answers as JSON

What \`--json\` prints and the HTTP API answers, each with its JSON Schema (2020-12). They are open: a validator accepts fields that come
later. \`schemaVersion\` is ${SCHEMA_VERSION} until a field is dropped or means something else.

| schema | of | fields |
|---|---|---|
${rows.join('\n')}

Shapes that answers share: ${Object.keys(SHARED_SHAPES)
    .map((name) => `[${name}](${name}.json)`)
    .join(', ')}.
`
}
