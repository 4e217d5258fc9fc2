import type { FindAt, Span } from './change.ts'

/** What identifies a person or a computer by its form: home folders and generated names. */
export const PERSON_LITERALS: readonly [literal: string, find: FindAt][] = [
  ...['home', 'Users', 'users', 'USERS', 'Documents and Settings'].map((word): [string, FindAt] => [
    word,
    (text, at, spans) => addHome(text, at, word, spans),
  ]),
  ['media/', addMedium],
  ...['DESKTOP-', 'LAPTOP-', 'MacBook', 'iMac', 'Mac-mini', 'Mac-Studio'].map((word): [string, FindAt] => [
    word,
    addComputer,
  ]),
]

/** Folders next to user folders that belong to nobody. */
const NOBODY =
  /^(?:shared|public|default|default user|all users|users?|username|user_name|your[-_]?(?:user)?name|you|me|name|runner|node|linuxbrew|app|\.\.\.|\$.*|<.*|\{.*)$/i
const SIGN_BEFORE = /(?:\/|\\{1,8})$/
const SIGN_AFTER = /(?:\/|\\{1,8})/y
const PERSON =
  /[A-Za-z0-9_\u00a1-\uffff](?:[A-Za-z0-9_.\u00a1-\uffff-]{0,62}[A-Za-z0-9_\u00a1-\uffff-])?(?:\$(?=\\))?/y
/** Further words of a name with spaces; a separator must follow. */
const MORE_WORDS = /(?: [A-Za-z0-9_.\u00a1-\uffff-]{1,40}){1,3}(?=\\|\/)/y
/** Where home folders are on other systems and mounts. */
const MOUNT =
  /(?:(?:\/|\\{1,8})(?:var|export|usr|nfs|net|data|private|vol[0-9]*|afs|srv|remote|storage|shared|opt|cygdrive\/[a-z]|mnt(?:\/[\w.-]{1,30})?|media\/[\w.-]{1,30}|Volumes\/[^/\n"']{1,40}|System\/Volumes\/Data|host_mnt(?:\/[a-z])?|run\/host|host|rootfs|(?:wsl(?:\$|\.localhost)|\\[\w.-]{1,60})(?:[\\/]{1,8}[\w.-]{1,30})?)|\/[a-z]|[A-Za-z]:)$/i
const DRIVE = /(?:[A-Za-z]:|\/(?:mnt|cygdrive|host_mnt)\/[a-z]|\/[a-z])$/i

function addHome(text: string, at: number, word: string, spans: Span[]): void {
  addSlug(text, at, word, spans)
  const before = text.slice(Math.max(0, at - 70), at)
  const opening = SIGN_BEFORE.exec(before)
  SIGN_AFTER.lastIndex = at + word.length
  if (opening === null || !SIGN_AFTER.test(text)) return
  const nameStart = SIGN_AFTER.lastIndex
  const folder = before.slice(0, opening.index)
  const mount = MOUNT.exec(folder)
  if (word !== 'home' && word !== 'Users' && !DRIVE.test(folder)) return
  if (mount === null && /[A-Za-z0-9_.)\]}$*~-]$/.test(folder)) return
  PERSON.lastIndex = nameStart
  if (!PERSON.test(text)) return
  MORE_WORDS.lastIndex = PERSON.lastIndex
  const end = word !== 'home' && MORE_WORDS.test(text) ? MORE_WORDS.lastIndex : PERSON.lastIndex
  const learned = text.slice(nameStart, end)
  if (NOBODY.test(learned) || NOBODY.test(text.slice(nameStart, PERSON.lastIndex))) return
  const start = at - opening[0].length - (mount?.[0].length ?? 0)
  spans.push({ kind: 'home', name: 'home folder', start, end, replacement: '~', learned })
}

const SLUG_HEAD =
  /(?:^|[^A-Za-z0-9_-])(?:[A-Za-z]-{1,2}|-{1,2}(?:var-|export-|usr-|mnt-[a-z]-|Volumes-\w{1,20}-)?)$/
const PERSON_IN_SLUG = /-([A-Za-z0-9_.\u00a1-\uffff]{1,64})/y

/** `-home-ada-code`, `C--Users-ada-code`: paths turned into folder names. */
function addSlug(text: string, at: number, word: string, spans: Span[]): void {
  if (text.charAt(at - 1) !== '-') return
  PERSON_IN_SLUG.lastIndex = at + word.length
  const name = PERSON_IN_SLUG.exec(text)?.[1]
  if (name !== undefined && SLUG_HEAD.test(text.slice(Math.max(0, at - 20), at)))
    addUser(name, PERSON_IN_SLUG.lastIndex - name.length, spans)
}

const MEDIUM = /media\/([A-Za-z0-9_][\w.-]{1,62})\/[\w.-]/y

/** `/media/ada/stick`, `/run/media/ada/stick`: where a system mounts removable media. */
function addMedium(text: string, at: number, spans: Span[]): void {
  MEDIUM.lastIndex = at
  const name = MEDIUM.exec(text)?.[1]
  if (
    name !== undefined &&
    /(?:^|[^\w./-])\/(?:run\/)?$/.test(text.slice(Math.max(0, at - 8), at)) &&
    !isCommonUser(name)
  )
    addUser(name, at + 'media/'.length, spans)
}

function addUser(name: string, start: number, spans: Span[]): void {
  if (!NOBODY.test(name))
    spans.push({
      kind: 'user',
      name: 'user name',
      start,
      end: start + name.length,
      replacement: '[user]',
      learned: name,
    })
}

function addHost(name: string, start: number, spans: Span[]): void {
  spans.push({
    kind: 'host',
    name: 'host name',
    start,
    end: start + name.length,
    replacement: '[host]',
    learned: name,
  })
}

const BEFORE_PROMPT = /(?:^|[\s[("'`]|m)([a-z_][a-z0-9_.-]{0,31})$/
const PROMPT =
  /@([A-Za-z0-9][A-Za-z0-9-]{1,62})(?:\.[a-z0-9.-]{1,60})?(?::(?:~|\/)[^\s$#%]{0,100}[$#%] | (?:~|\/)[^\s$#%\]]{0,100}(?:\][$#]|[ ]?[%$#]) )/y

/** Shell prompts with user and host: `ada@engine:~/shop$ `, `[ada@engine ~]$ `, `ada@engine ~ % `. */
export function findPrompts(text: string, spans: Span[]): void {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    PROMPT.lastIndex = at
    const host = PROMPT.exec(text)?.[1]
    const user = host && BEFORE_PROMPT.exec(text.slice(Math.max(0, at - 34), at))?.[1]
    if (host === undefined || user === undefined) continue
    if (!isCommonUser(user)) addUser(user, at - user.length, spans)
    if (!isCommonHost(host)) addHost(host, at + 1, spans)
  }
}

const TILDE = /~([A-Za-z_][A-Za-z0-9_.-]{1,31})(?=\/)/y

/** `~ada/code`, `https://x.org/~ada/`. */
export function findTildes(text: string, spans: Span[]): void {
  for (let at = text.indexOf('~'); at !== -1; at = text.indexOf('~', at + 1)) {
    TILDE.lastIndex = at
    const name = TILDE.exec(text)?.[1]
    if (name !== undefined && /^[\s"'`=:(/]?$/.test(text.charAt(at - 1)) && !isCommonUser(name))
      addUser(name, at + 1, spans)
  }
}

const COMPUTER =
  /^(?:(?:DESKTOP|LAPTOP)-[A-Z0-9]{6,9}|[A-Za-z][A-Za-z0-9]{1,30}(?:-[A-Za-z0-9]{1,20}){0,3}-(?:MacBook(?:-(?:Pro|Air))?|iMac(?:-Pro)?|Mac-mini|Mac-Studio)(?:-[0-9]{1,3})?)(?![A-Za-z0-9])/

function addComputer(text: string, at: number, spans: Span[]): void {
  const before = /[A-Za-z0-9-]{0,60}$/.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? ''
  const name = COMPUTER.exec(before + text.slice(at, at + 40))?.[0]
  if (name !== undefined && name.length > before.length) addHost(name, at - before.length, spans)
}

const COMMON_USERS = new Set(
  'root admin administrator user test tests testing code dev developer build builder app apps src lib bin home work worker workspace workspaces project projects data tmp temp docs main master ubuntu debian fedora centos alpine ec2-user vagrant node runner www www-data git docker postgres mysql redis mongo nginx apache jenkins circleci vscode codespace gitpod coder pi me you public shared default guest demo example sample local server service system web api config index page pages page.tsx index.html style styles component components static assets static images img css js view views model models controller controllers settings login logout profile account dashboard about contact help search feed news team shop store cart list item items new old all any none deploy deployer ci bot agent nobody daemon sshd backup oracle hadoop spark airflow jovyan sandbox container linuxbrew opc azureuser cloud-user bitnami core nixos arch manjaro steam deck gemini claude cursor cdrom floppy usb disk'.split(
    ' ',
  ),
)

/** A word that does not identify a person in code: not searched for outside the place where it was found. */
export function isCommonUser(name: string): boolean {
  return name.length < 2 || COMMON_USERS.has(name.toLowerCase())
}

export function isCommonHost(name: string): boolean {
  return /^(?:.|localhost|host|hostname|server|machine|computer|pc|laptop|desktop|web|db|app|github|gitlab|bitbucket|ubuntu|debian|fedora|[0-9a-f]{12}|\d+)$/i.test(
    name,
  )
}
