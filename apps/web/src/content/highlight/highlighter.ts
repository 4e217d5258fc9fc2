import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageInput,
} from 'shiki/core'
import type { CodeLine, CodeRole, CodeToken } from './code-token.ts'
import { languageLoader } from './languages.ts'

const THEME = 'roles'
/** Shiki's token classes and the five colours of `tokens.css`. */
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
/** Asked for once each: the bundler looks through the page whenever a grammar is imported. */
const loading = new Map<string, Promise<void>>()

/** Colours code by the grammar of `language`; null where there is none. Loaded with its grammars when first used. */
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
    // the first line of a grammar compiles it, which on a busy machine takes longer than the usual half second
    tokenizeTimeLimit: 3_000,
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
  // what failed may be there the next time
  begun.catch(() => loading.delete(language))
  return begun
}

function toToken(token: { content: string; offset: number; color?: string | undefined }): CodeToken {
  const name = /--role-token-([\w-]+)/.exec(token.color ?? '')?.[1] ?? ''
  return { text: token.content, start: token.offset, role: ROLES[name] ?? null }
}
