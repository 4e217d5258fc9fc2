import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageInput,
} from 'shiki/core'
import type { CodeLine, CodeRole, CodeToken } from '../lib/code-line.ts'

/** Grammars loaded on first use. Other languages are shown as plain text. */
const LOADERS: Record<string, LanguageInput> = {
  asm: () => import('@shikijs/langs/asm'),
  astro: () => import('@shikijs/langs/astro'),
  bash: () => import('@shikijs/langs/bash'),
  bat: () => import('@shikijs/langs/bat'),
  c: () => import('@shikijs/langs/c'),
  clojure: () => import('@shikijs/langs/clojure'),
  cmake: () => import('@shikijs/langs/cmake'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  dart: () => import('@shikijs/langs/dart'),
  diff: () => import('@shikijs/langs/diff'),
  docker: () => import('@shikijs/langs/docker'),
  elixir: () => import('@shikijs/langs/elixir'),
  erlang: () => import('@shikijs/langs/erlang'),
  go: () => import('@shikijs/langs/go'),
  graphql: () => import('@shikijs/langs/graphql'),
  groovy: () => import('@shikijs/langs/groovy'),
  haskell: () => import('@shikijs/langs/haskell'),
  hcl: () => import('@shikijs/langs/hcl'),
  html: () => import('@shikijs/langs/html'),
  http: () => import('@shikijs/langs/http'),
  ini: () => import('@shikijs/langs/ini'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  jsonc: () => import('@shikijs/langs/jsonc'),
  julia: () => import('@shikijs/langs/julia'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  latex: () => import('@shikijs/langs/latex'),
  less: () => import('@shikijs/langs/less'),
  lua: () => import('@shikijs/langs/lua'),
  make: () => import('@shikijs/langs/make'),
  markdown: () => import('@shikijs/langs/markdown'),
  nginx: () => import('@shikijs/langs/nginx'),
  nix: () => import('@shikijs/langs/nix'),
  perl: () => import('@shikijs/langs/perl'),
  php: () => import('@shikijs/langs/php'),
  powershell: () => import('@shikijs/langs/powershell'),
  prisma: () => import('@shikijs/langs/prisma'),
  proto: () => import('@shikijs/langs/proto'),
  python: () => import('@shikijs/langs/python'),
  r: () => import('@shikijs/langs/r'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  scala: () => import('@shikijs/langs/scala'),
  scss: () => import('@shikijs/langs/scss'),
  sql: () => import('@shikijs/langs/sql'),
  svelte: () => import('@shikijs/langs/svelte'),
  swift: () => import('@shikijs/langs/swift'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  vue: () => import('@shikijs/langs/vue'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
  zig: () => import('@shikijs/langs/zig'),
}

const THEME = 'roles'
/** Maps Shiki's token classes to the five colors of `tokens.css`. */
const ROLES: Record<string, CodeRole> = {
  keyword: 'keyword',
  string: 'string',
  'string-expression': 'string',
  constant: 'number',
  function: 'name',
  parameter: 'name',
  link: 'name',
  comment: 'comment',
}

let created: Promise<HighlighterCore> | undefined
/** Each is imported once: the bundler's helper searches the page on every import. */
const loading = new Map<string, Promise<void>>()

/** Highlights code with the grammar of `language`; null if there is none. Shiki and grammars are loaded on first use. */
export async function highlightCode(code: string, language: string): Promise<CodeLine[] | null> {
  const loader = languageLoader(language)
  if (loader === null) return null
  created ??= createHighlighterCore({
    engine: createJavaScriptRegexEngine(),
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--role-', fontStyle: false })],
    langs: [],
  })
  const highlighter = await created
  await loadOnce(highlighter, language, loader)
  const lines = highlighter.codeToTokensBase(code, {
    lang: language,
    theme: THEME,
    tokenizeMaxLineLength: 2_000,
    // the first line compiles the grammar, which can exceed the default of half a second on a busy machine
    tokenizeTimeLimit: 30_000,
  })
  let start = 0
  return lines.map((tokens) => {
    const line = { start, tokens: tokens.map(toToken) }
    start += tokens.reduce((length, token) => length + token.content.length, 1)
    return line
  })
}

function loadOnce(highlighter: HighlighterCore, language: string, loader: LanguageInput): Promise<void> {
  const known = loading.get(language)
  if (known !== undefined) return known
  const begun = highlighter.loadLanguage(loader)
  loading.set(language, begun)
  // a later attempt may succeed
  begun.catch(() => loading.delete(language))
  return begun
}

function toToken(token: { content: string; offset: number; color?: string | undefined }): CodeToken {
  const name = /--role-token-([\w-]+)/.exec(token.color ?? '')?.[1] ?? ''
  return { text: token.content, start: token.offset, role: ROLES[name] ?? null }
}

function languageLoader(name: string): LanguageInput | null {
  return Object.hasOwn(LOADERS, name) ? (LOADERS[name] ?? null) : null
}
