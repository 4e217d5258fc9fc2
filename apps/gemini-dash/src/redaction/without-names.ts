import type { Project } from 'gemini-sessions'
import { ownNames } from './own-names.ts'

/** How a path begins, on any system: `/`, `C:\`, `\\server\`, `\\?\C:\`, `~/`, `%USERPROFILE%\`, `file:///`. */
const START = String.raw`(?:file:\/\/\/?(?:[A-Za-z]:)?|(?:\\\\[?.]\\)?[A-Za-z]:[\\/]|\\\\|~[\\/]|%\w+%[\\/]|\/)`
const QUOTED_PATH = new RegExp(`(["'\`“])${START}[^"'\`“”\\n]*`, 'g')
/** Up to where a sentence goes on; a word behind a blank belongs to it where another separator or an ending follows. */
const PATH = new RegExp(
  String.raw`${START}[^\s"'\`,;:()<>|]*(?:(?: [^\s"'\`,;:()<>|\\/]+){0,3} ?[^\s"'\`,;:()<>|\\/]*[\\/][^\s"'\`,;:()<>|]*)*(?:(?: [^\s"'\`,;:()<>|\\/.]+){1,3}\.\w{1,5}\b)?`,
  'g',
)
/** What the CLI and others call files of sessions. */
const FILE_NAME = /\b(?:session|checkpoint|bug-report-history|gemini-conversation)-[^\s"'`/\\,;:()]+/g
/** An address may hold an address. */
const MOST_ENCODED = 3

/** A sentence of ours that may quote a path, a file, or what the user calls projects and this computer, in whatever form. */
export function withoutNames(
  sentence: string,
  projects: readonly Pick<Project, 'name' | 'path'>[],
  { userNames, hostNames } = ownNames(),
): string {
  const plain = decoded(sentence)
  // a marker may hold anything for a path: more than a pattern can be made of
  const known = projects
    .flatMap(({ name, path }) => [path ?? '', name])
    .filter((name) => name.length > 2 && name.length <= plain.length)
  const longestFirst = known.toSorted((one, other) => other.length - one.length)
  // before projects, whose names stand in paths
  const withoutPaths = plain
    .replace(QUOTED_PATH, '$1[path]')
    .replace(PATH, (path) => `[path]${path.endsWith('.') ? '.' : ''}`)
    .replace(FILE_NAME, '[file]')
  const withoutProjects = longestFirst.reduce(
    (text, name) => text.replace(new RegExp(literal(name), 'gi'), '[project]'),
    withoutPaths,
  )
  return [...userNames, ...hostNames].reduce(
    (text, name) => text.replace(new RegExp(`(?<![\\w-])${literal(name)}(?![\\w-])`, 'gi'), '[name]'),
    withoutProjects,
  )
}

/** Without `%20` and its like: what cannot be decoded stays. */
function decoded(text: string): string {
  let plain = text
  for (let times = 0; times < MOST_ENCODED; times += 1) {
    plain = plain.replace(/(?:%[0-9A-Fa-f]{2})+/g, (encoded) => {
      try {
        return decodeURIComponent(encoded)
      } catch {
        return encoded
      }
    })
  }
  return plain
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
