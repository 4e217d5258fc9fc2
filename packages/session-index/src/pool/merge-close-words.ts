import { type CloseWord, compareCloseWords } from '../find/close-words/closest-words.ts'

const MAX_WORDS = 5

/** The closest words of all shards, each once. */
export function mergeCloseWords(found: CloseWord[]): string[] {
  const byWord = new Map<string, CloseWord>()
  for (const close of found) {
    byWord.set(close.word, { ...close, texts: close.texts + (byWord.get(close.word)?.texts ?? 0) })
  }
  return [...byWord.values()]
    .sort(compareCloseWords)
    .slice(0, MAX_WORDS)
    .map(({ word }) => word)
}
