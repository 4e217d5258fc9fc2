/** Other names and file endings, as people and models write them after the fence. */
const ALIASES = new Map(
  Object.entries({
    'c++': 'cpp',
    cc: 'cpp',
    cjs: 'javascript',
    'c#': 'csharp',
    cs: 'csharp',
    cts: 'typescript',
    dockerfile: 'docker',
    ex: 'elixir',
    exs: 'elixir',
    golang: 'go',
    gql: 'graphql',
    h: 'c',
    hpp: 'cpp',
    hs: 'haskell',
    htm: 'html',
    js: 'javascript',
    json5: 'jsonc',
    jsonl: 'json',
    kt: 'kotlin',
    kts: 'kotlin',
    makefile: 'make',
    md: 'markdown',
    mjs: 'javascript',
    mts: 'typescript',
    patch: 'diff',
    pl: 'perl',
    ps1: 'powershell',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    sass: 'scss',
    sh: 'bash',
    shell: 'bash',
    svg: 'xml',
    tex: 'latex',
    tf: 'hcl',
    ts: 'typescript',
    yml: 'yaml',
    zsh: 'bash',
  }),
)

/** The grammar's own name for what stands after a fence, or null where nothing does. */
export function languageName(fence: string | null): string | null {
  const name =
    fence
      ?.trim()
      .toLowerCase()
      .split(/[\s,{:]/, 1)[0] ?? ''
  if (name === '') return null
  return ALIASES.get(name) ?? name
}

/** The language that a file's name tells. */
export function languageOfPath(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
  if (name === 'dockerfile' || name === 'makefile') return languageName(name)
  const ending = /\.([^.]+)$/.exec(name)?.[1]
  return ending === undefined ? null : languageName(ending)
}
