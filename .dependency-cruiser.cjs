// Dependencies point one way (ARCHITECTURE.md, "Folders"). Each rule's comment is its reason; it is printed
// beside a violation. scripts/dependency-rules.test.ts plants a violation of each rule and expects to see it.
const TESTS = '[.]test[.]tsx?$'

/** Within one folder, each layer a folder or a file: a layer may know itself and what lies below it, nothing above. */
function layers(house, prefix, names, comment) {
  return names.slice(0, -1).map((name, index) => ({
    name: `${house}: ${name} knows nothing above it`,
    comment,
    severity: 'error',
    from: { path: `^${prefix}/(?:${name})(?:/|[.]tsx?$)`, pathNot: TESTS },
    to: { path: `^${prefix}/(?:${names.slice(index + 1).join('|')})(?:/|[.]tsx?$)` },
  }))
}

module.exports = {
  forbidden: [
    {
      name: 'no cycles',
      comment: 'Two modules that need each other are one module, or lack a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'everything resolves',
      comment: 'A rule cannot see an import that does not resolve, and would report success.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...layers(
      'gemini-sessions',
      'packages/gemini-sessions/src',
      ['model', 'raw', 'parse', 'derive', 'node'],
      'Old logs, one model: nothing above the lift knows the old formats, nothing below it knows what is built on it.',
    ),
    {
      name: 'gemini-sessions: pure but for ./node',
      comment: 'The page imports the pure entry; a Node module there breaks the bundle in the browser.',
      severity: 'error',
      from: {
        path: '^packages/gemini-sessions/src/',
        pathNot: ['^packages/gemini-sessions/src/node/', TESTS],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'gemini-sessions: stands alone',
      comment: 'Other tools can use it by itself; zod is all it needs.',
      severity: 'error',
      from: { path: '^packages/gemini-sessions/src/', pathNot: TESTS },
      to: {
        path: ['^(apps|packages)/', 'node_modules/'],
        pathNot: ['^packages/gemini-sessions/', 'node_modules/zod/'],
      },
    },
    {
      name: 'pricing: knows sessions and the contract only',
      comment: 'A price is a function of tokens, model and time; where they come from is not its business.',
      severity: 'error',
      from: { path: '^packages/pricing/src/', pathNot: TESTS },
      to: { path: '^(apps|packages)/', pathNot: '^packages/(pricing|api|gemini-sessions)/' },
    },
    {
      name: 'api: knows sessions only',
      comment: 'The contract is what both apps share; whatever it imports, both carry.',
      severity: 'error',
      from: { path: '^packages/api/src/', pathNot: TESTS },
      to: { path: '^(apps|packages)/', pathNot: '^packages/(api|gemini-sessions)/' },
    },
    {
      name: 'antigravity-sessions: knows sessions only',
      comment:
        'It turns another format into the same model; prices, index and pages must not know that there are two.',
      severity: 'error',
      from: { path: '^packages/antigravity-sessions/src/', pathNot: TESTS },
      to: {
        path: ['^(apps|packages)/', 'node_modules/'],
        pathNot: ['^packages/(antigravity-sessions|gemini-sessions)/', 'node_modules/@bufbuild/protobuf/'],
      },
    },
    {
      name: 'archive: stands alone',
      comment:
        'What is kept are files by their content; which files, and what they mean, is decided elsewhere.',
      severity: 'error',
      from: { path: '^packages/archive/src/', pathNot: TESTS },
      to: { path: '^(apps|packages)/', pathNot: '^packages/archive/' },
    },
    {
      name: 'redact: stands alone, and runs in a browser',
      comment: 'What leaves is redacted by the program and reviewed on the page, by the same rules.',
      severity: 'error',
      from: { path: '^packages/redact/src/', pathNot: TESTS },
      to: { path: ['^(apps|packages)/', 'node_modules/'], pathNot: '^packages/redact/' },
    },
    {
      name: 'redact: no Node',
      comment: 'A Node module there breaks the bundle in the browser.',
      severity: 'error',
      from: { path: '^packages/redact/src/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'packages know no app',
      comment: 'Packages are libraries; apps are put together from them.',
      severity: 'error',
      from: { path: '^packages/', pathNot: TESTS },
      to: { path: '^apps/' },
    },
    {
      name: 'program: fixtures for the testbed only',
      comment:
        'Only the command that writes homes for others ships a generator; what reads must not lean on what tests wrote.',
      severity: 'error',
      from: {
        path: '^(apps|packages)/[^/]+/src/',
        pathNot: [TESTS, '^apps/gemini-dash/src/commands/testbed[.]ts$'],
      },
      to: { path: '^fixtures/' },
    },
    {
      name: 'apps meet in the api only',
      comment:
        'The program and its page know each other through packages/api alone, so either can be replaced.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'web: types only',
      comment:
        'Schemas and parsers would go into the page’s bundle. The page takes types, and from the api the path builders, the names of tools, the fates of failed calls, how a session ended, what is said of its changes, the words around reasons, what programs are called, how figures are written, what clocks of a zone show, what dates mean, how texts are compared, how long a query may be, what an event changes in an answer, from which file a session was added, the turns of an outline from its columns and whether calls of tools were recorded at all.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: TESTS },
      to: {
        path: '^packages/',
        pathNot:
          '^packages/api/src/(?:paths|lists/(?:turn-columns|are-tools-recorded|fold-hits|search-fields)|words/(?:asked-questions|change-words|cut-query|due-words|tool-label|figures|fold-text|near-text|read-date|redaction-words|session-name|source-names|verdict-words|why-labels|zone-clock))(?:[.]d)?[.]m?ts$|^packages/api/src/words/redaction-words[.]mjs$',
        dependencyTypesNot: ['type-only'],
      },
    },
    ...layers(
      'web',
      'apps/web/src',
      ['lib', 'api', 'ui', 'content', 'features', 'pages', 'app', 'paper'],
      'A page is put together from features, a feature from controls; the other way round nothing could be reused.',
    ),
    {
      name: 'web: features do not import each other',
      comment: 'A feature can be removed with its folder or file. What two need belongs into ui or lib.',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/.]+)(?:/|[.]tsx?$)', pathNot: TESTS },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1(?:/|[.])' },
    },
    ...layers(
      'program',
      'apps/gemini-dash/src',
      [
        ...[
          'paths',
          'terminal',
          'watch',
          'own-data',
          'access',
          'folder-search',
          'redaction',
          'export',
          'opened',
        ],
        ...['home-writes', 'store', 'keep', 'recover', 'move', 'fork', 'forget', 'print', 'settings'],
        ...['server', 'serve', 'environment', 'commands', 'mcp', 'command-line'],
      ],
      'Who asks knows who answers, never the other way round: a command, a route and a test ask the same store.',
    ),
    ...layers(
      'store',
      'apps/gemini-dash/src/store',
      [
        ...[
          'times',
          'handover',
          'cut-for-wire|column-calls|side-branches|map-session|message-page|raw-record|written-messages',
          'warnings',
          'projects',
          'usage',
          'list',
          'sync',
        ],
        ...[
          'search',
          'installed-cli',
          'doctor',
          'reader',
          'thread-rest',
          'quote-for-shell|resume-session',
          'session',
          'cache',
        ],
      ],
      'What keeps the rows equal to the disk is built on what the rows are.',
    ),
    ...layers(
      'session-index',
      'packages/session-index/src',
      [
        ...[
          'give-back-memory',
          'folder',
          'text',
          'cache-format',
          'driver',
          'database',
          'query',
          'contract',
          'rows',
        ],
        ...['source', 'match', 'evaluate', 'store', 'find', 'shard', 'pool'],
      ],
      'A query, a row and a database are told apart before a shard puts them together; the pool puts shards together.',
    ),
    {
      name: 'homes are written to by three verbs only',
      comment:
        'What writes under a home is recover, move and fork, each asked for by name; a start takes away what they were killed over, and forget has it told no more. What the journal says anybody may read.',
      severity: 'error',
      from: {
        path: '^apps/gemini-dash/src/',
        pathNot: [
          '^apps/gemini-dash/src/(home-writes|recover|move|fork|forget)(/|[.]ts$)',
          '^apps/gemini-dash/src/commands/(recover|move|fork)[.]ts$',
          '^apps/gemini-dash/src/server/routes/home-writes[.]ts$',
          '^apps/gemini-dash/src/commands/serve[.]ts$',
          TESTS,
        ],
      },
      to: {
        path: '^apps/gemini-dash/src/home-writes/',
        pathNot: '^apps/gemini-dash/src/home-writes/home-journal[.]ts$',
      },
    },
    {
      name: 'server: routes do not know the server',
      comment: 'A route is put into the server; how the server is put together is none of its business.',
      severity: 'error',
      from: { path: '^apps/gemini-dash/src/server/routes/', pathNot: TESTS },
      to: { path: '^apps/gemini-dash/src/server/create-server[.]ts$' },
    },
    {
      name: 'server: the store knows no HTTP',
      comment: 'Commands answer from the same store without a server.',
      severity: 'error',
      from: { path: '^apps/gemini-dash/src/store/', pathNot: TESTS },
      to: { path: 'node_modules/(@fastify|fastify)' },
    },
    {
      name: 'server: security knows no domain',
      comment: 'What guards the routes must not depend on what they answer.',
      severity: 'error',
      from: { path: '^apps/gemini-dash/src/server/(security|allowed-hosts)[.]ts$', pathNot: TESTS },
      to: { path: ['^packages/(gemini-sessions|session-index|pricing)/', '^apps/gemini-dash/src/store/'] },
    },
    {
      name: 'only what is declared',
      comment: 'An import that works because some other package brought it along breaks with that package.',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Without these the imports of workspace packages stay unresolved and no rule about them ever fires.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.css'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
