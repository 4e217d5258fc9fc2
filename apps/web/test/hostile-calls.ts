import fc from 'fast-check'

/** Property names that every plain object inherits. */
const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'length', '']
// biome-ignore format: a table of names
const TOOLS = [
  'run_shell_command', 'list_background_processes', 'read_background_output', 'replace', 'write_file', 'read_file',
  'read_many_files', 'list_directory', 'glob', 'grep_search', 'search_file_content', 'web_fetch', 'google_web_search',
  'write_todos', 'tracker_create_task', 'tracker_visualize', 'invoke_agent', 'delegate_to_agent', 'codebase_investigator',
  'complete_task', 'save_memory', 'update_topic', 'activate_skill', 'get_internal_docs', 'enter_plan_mode',
  'exit_plan_mode', 'ask_user', 'list_mcp_resources', 'mcp_postgres_query', 'notion__search', 'no_such_tool', ...NAMES,
]
// biome-ignore format: a table of names
const ARGUMENTS = [
  'command', 'description', 'dir_path', 'is_background', 'pid', 'lines', 'file_path', 'absolute_path', 'path', 'paths',
  'include', 'old_string', 'new_string', 'content', 'instruction', 'start_line', 'end_line', 'offset', 'limit', 'pattern',
  'query', 'prompt', 'url', 'urls', 'todos', 'title', 'summary', 'strategic_intent', 'fact', 'name', 'plan', 'plan_path',
  'plan_filename', 'reason', 'questions', 'objective', 'agent_name', 'result', ...NAMES,
]
// biome-ignore format: a table of texts
const TEXTS = [
  '', ' ', '\n', '\u0000\u001b[31m\u202e\u{e0041}', '<script>alert(1)</script>', '</pre></div>', '[', '](', '```', '`'.repeat(99),
  '**', '$&', '\\', '\ud800', '👩‍💻'.repeat(50), 'x'.repeat(20_000), 'line\n'.repeat(3_000), '{"answers":{"constructor":{}}}',
  '{"answers":{"0":null,"__proto__":["a"],"toString":"b"}}', '{"answers":[]}', '{"__proto__":{"a":1}}', '[[[[[[]]]]]]', 'null', '0',
  '\u001b[38;5;999;48;2;1m\u001b]8;;javascript:alert(1)\u0007x', '--- constructor ---\n\ntext\n--- End of content ---',
  'Found 2 matches for pattern "(" in path ".":\n---\nFile: __proto__\nL1: constructor\n---\nFile: toString\nL99999999999999999999: x\n---',
  'Directory listing for constructor:\n[DIR] __proto__\ntoString\nconstructor/prototype (7 bytes)',
  'Found 2 file(s) matching "*" within /, sorted by modification time (newest first):\n/constructor/__proto__\n/constructor',
  'Command: a\nDirectory: (root)\nOutput: b\nExit Code: constructor\nSignal: toString\nBackground PIDs: __proto__',
  '<untrusted_context>', 'Subagent \'constructor\' finished.\nTermination Reason: __proto__\nResult:\n{"toString":1}',
  'Plan approved. Switching to constructor\nThe plan is stored at: __proto__', 'Plan rejected. User feedback: ',
  'Web search results for "x":\n\na[1]b[999]\n\nSources:\n[1] constructor (javascript:alert(1))\n[x] __proto__ (//)\n[2] toString (http://[)',
  '<activated_skill name="constructor"><instructions>', '@@ -1 +1 @@\n-a\n+b', '--- a\n+++ b\n@@ -99999999 +0,0 @@\n', '@@',
]

/** Any JSON, usually with something hostile in it. */
const json = fc.letrec<{ any: unknown; object: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 53),
    fc.constantFrom(...TEXTS, ...NAMES),
    fc.array(tie('any'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fieldsOf([...NAMES, 'text', 'type', 'status', 'content'], () => tie('any')),
})).any

const deep = fc
  .tuple(fc.integer({ min: 50, max: 400 }), fc.boolean())
  .map(([levels, isList]) =>
    JSON.parse(
      isList
        ? '['.repeat(levels) + ']'.repeat(levels)
        : `${'{"constructor":'.repeat(levels)}1${'}'.repeat(levels)}`,
    ),
  )
const value = fc.oneof({ weight: 20, arbitrary: json }, { weight: 1, arbitrary: deep })

/** Objects of known shapes whose fields may be of any type. */
const question = fieldsOf(['header', 'question', 'type', 'options', 'placeholder', ...NAMES], () =>
  fc.oneof(
    value,
    fc.array(
      fieldsOf(['label', 'description', ...NAMES], () => value),
      { maxLength: 3 },
    ),
  ),
)
const argumentsOf = fc.oneof(
  { weight: 4, arbitrary: fieldsOf(ARGUMENTS, () => fc.oneof(value, fc.array(question, { maxLength: 3 }))) },
  { weight: 1, arbitrary: value },
)
const display = fc.oneof(
  value,
  fieldsOf(
    ['fileDiff', 'fileName', 'filePath', 'originalContent', 'newContent', 'diffStat', 'isNewFile'],
    () => value,
  ),
  fieldsOf(['todos'], () =>
    fc.array(
      fieldsOf(['description', 'status', ...NAMES], () => value),
      { maxLength: 4 },
    ),
  ),
  fieldsOf(['summary', 'matches', 'files', 'include', 'skipped'], () =>
    fc.oneof(
      value,
      fc.array(
        fieldsOf(['filePath', 'lineNumber', 'line', 'isContext'], () => value),
        { maxLength: 4 },
      ),
    ),
  ),
  fieldsOf(['isSubagentProgress', 'agentName', 'recentActivity', 'state', 'result', 'terminateReason'], () =>
    fc.oneof(
      value,
      fc.constant(true),
      fc.array(
        fieldsOf(['id', 'type', 'content', 'displayName', 'description', 'args', 'status'], () => value),
        {
          maxLength: 3,
        },
      ),
    ),
  ),
  fc.array(
    fc.array(
      fieldsOf(['text', 'bold', 'fg', 'bg', 'inverse', ...NAMES], () => value),
      { maxLength: 3 },
    ),
    {
      maxLength: 3,
    },
  ),
)
const part = fc.oneof(
  fieldsOf(['text', 'inlineData', 'fileData', 'functionResponse', 'executableCode', ...NAMES], () => value),
  fieldsOf(['inlineData', 'fileData'], () =>
    fieldsOf(['mimeType', 'data', 'fileUri', 'displayName'], () => value),
  ),
)
const answer = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TEXTS).map((output) => ({ output })) },
  { weight: 2, arbitrary: fieldsOf(['output', 'error', 'content', ...NAMES], () => value) },
  { weight: 1, arbitrary: value },
)

/** A stored tool call as a log may contain it: of a known or unknown tool, with any arguments, result and display. */
const storedCall = fc
  .record({
    name: fc.constantFrom<unknown>(...TOOLS, null, 7),
    args: argumentsOf,
    status: fc.constantFrom<unknown>(
      'success',
      'error',
      'cancelled',
      'executing',
      'awaiting_approval',
      ...NAMES,
      null,
      {},
    ),
    response: answer,
    more: fc.oneof(fc.constant([]), fc.array(part, { maxLength: 3 })),
    resultDisplay: fc.oneof(fc.constant(undefined), display),
    displayName: fc.oneof(fc.constantFrom(...NAMES, 'query (constructor MCP Server)'), value),
    description: fc.option(value),
    agentId: fc.constantFrom<unknown>(undefined, '__proto__', {}),
  })
  .map(({ response, more, ...call }) => ({
    ...call,
    result: [{ functionResponse: { id: 'given-later', name: call.name, response } }, ...more],
  }))

/** Returns the same calls for the same seed. */
export function hostileCalls(seed: number, count: number): object[] {
  return fc
    .sample(storedCall, { seed, numRuns: count })
    .map((call, index) =>
      JSON.parse(JSON.stringify({ ...call, id: `c${index}` }).replace('given-later', `c${index}`)),
    )
}

/** An object with some of these fields. Parsed from JSON, the only way to get a field called `__proto__`. */
function fieldsOf(names: readonly string[], toValue: () => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 6 })
    .chain((chosen) => fc.tuple(...chosen.map((name) => fc.tuple(fc.constant(name), toValue()))))
    .map((fields) =>
      JSON.parse(
        `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${JSON.stringify(field ?? null)}`).join(',')}}`,
      ),
    )
}
