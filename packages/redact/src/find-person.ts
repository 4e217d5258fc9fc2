import type { ChangeKind, RedactOptions, Span } from './change.ts'

/** What names the person, or anybody by their address. */
export function findPerson(text: string, options: RedactOptions): Span[] {
  return [...findPlaces(text, options), ...findEmails(text)]
}

/** Folders beside those of people. */
const NOBODY =
  /^(?:shared|public|default|default user|all users|user|username|you|me|name|runner|node|linuxbrew|\.\.\.|\$.*|<.*|\{.*)$/i
const HOMES =
  /(?:\/home\/|\/Users\/|[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))([A-Za-z0-9_][A-Za-z0-9_.-]{0,63})(?![A-Za-z0-9_])/g

/** Home folders, and user and host names where they stand in paths and addresses, not as words of a sentence. */
function findPlaces(text: string, options: RedactOptions): Span[] {
  const { homes = [], userNames = [], hostNames = [] } = options
  const spans: Span[] = []
  const add = (kind: ChangeKind, name: string, replacement: string, start: number, length: number) =>
    spans.push({ kind, name, start, end: start + length, replacement })
  for (const home of homes.flatMap(spellings)) {
    for (const start of occurrences(text, home)) {
      if (
        !/[A-Za-z0-9_-]/.test(text.charAt(start + home.length)) &&
        !/[A-Za-z0-9_.]/.test(text.charAt(start - 1))
      ) {
        add('home', 'home folder', '~', start, home.length)
      }
    }
  }
  // a literal is found far faster than the form, and most texts have none
  const hasHomes = text.includes('/home/') || text.includes('Users')
  for (const { index, 0: found, 1: who = '' } of hasHomes ? text.matchAll(HOMES) : []) {
    const isPath = index === 0 || !/[A-Za-z0-9_.]/.test(text.charAt(index - 1)) || isEscape(text, index)
    if (isPath && !NOBODY.test(who)) add('home', 'home folder', '~', index, found.length)
  }
  for (const user of userNames.filter((name) => name.length > 1 && !/^root$/i.test(name))) {
    for (const start of occurrences(text, user)) {
      const before = text.charAt(start - 1)
      const after = text.charAt(start + user.length)
      const isSegment = /[/\\]/.test(before) && /^$|[/\\"'`\s:,;)\]}>]/.test(after)
      const isLogin = /^$|[/\s"'`=(<[]/.test(before) && after === '@'
      if (isSegment || isLogin) add('user', 'user name', '[user]', start, user.length)
    }
  }
  for (const host of hostNames.filter((name) => name.length > 1 && !/^localhost$/i.test(name))) {
    for (const start of occurrences(text, host)) {
      const before = text.charAt(start - 1)
      const rest = text.slice(start + host.length, start + host.length + 16)
      if (/^[A-Za-z0-9_-]/.test(rest) || /[A-Za-z0-9_.-]/.test(before)) continue
      const isAddress = before === '@' || /(?:\/\/|\\\\)$/.test(text.slice(Math.max(0, start - 2), start))
      if (isAddress || /^(?::[0-9]{2,5}\b|\.(?:local|lan|home|internal|localdomain)\b)/.test(rest)) {
        add('host', 'host name', '[host]', start, host.length)
      }
    }
  }
  return spans
}

/** A path as it is, in JSON (backslashes doubled, and doubled again), with slashes, and in an address. */
function spellings(home: string): string[] {
  const path = home.replace(/[/\\]+$/, '')
  if (path.length < 4) return []
  const forms = [
    path,
    path.replaceAll('\\', '\\\\'),
    path.replaceAll('\\', '\\\\\\\\'),
    path.replaceAll('\\', '/'),
    encodeURI(path.replaceAll('\\', '/')),
    encodeURIComponent(path),
  ]
  return [...new Set(forms)]
}

function* occurrences(text: string, word: string): Generator<number> {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) yield at
}

function isEscape(text: string, index: number): boolean {
  return /\\[nrt]$/.test(text.slice(Math.max(0, index - 2), index))
}

const LOCAL = /[A-Za-z0-9._%+-]{1,64}$/
const DOMAIN = /@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24})(?![A-Za-z0-9_-])/y
/** What looks like an address and is a file, a package or a role that no person stands behind. */
const FILES =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|cjs|jsx|tsx?|json|map|html?|md|txt|py|go|rs|java|zip|tgz|gz|yaml|yml|toml|lock|patch|service)$/i
const ROLES = /^(?:git|hg|svn|no-?reply|do-?not-?reply|postmaster|mailer-daemon|actions|bot)$/i
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost|noreply\.github\.com)$/i

/** From every `@` at most 64 characters back and 400 on. */
function findEmails(text: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    DOMAIN.lastIndex = at
    const domain = DOMAIN.exec(text)?.[1]
    if (domain === undefined || FILES.test(domain) || RESERVED.test(domain)) continue
    const before = text.slice(Math.max(0, at - 64), at)
    const lineEnd = /\\[nrt](?=[A-Za-z0-9._%+-]*$)/.exec(before)
    const local = LOCAL.exec(lineEnd === null ? before : before.slice(lineEnd.index + 2))?.[0]
    if (local === undefined || !/[A-Za-z0-9]/.test(local) || ROLES.test(local)) continue
    const start = at - local.length
    if (
      /[:/]$/.test(text.slice(Math.max(0, start - 1), start)) &&
      /:\/\/$/.test(text.slice(Math.max(0, start - 3), start))
    )
      continue
    spans.push({
      kind: 'email',
      name: 'e-mail address',
      start,
      end: at + 1 + domain.length,
      replacement: '[e-mail]',
    })
  }
  return spans
}
