import { formatSize } from '@gemini-dash/api/figures'
import { FILE_KINDS, kindOfIssue, type ParseIssue, type ParseIssueCode } from 'gemini-sessions'

interface IssueText {
  /** One sentence or two for people; `{at}` is where in the file, `{size}` how large. */
  reason: string
  /** What to do about it, if anything can be done. */
  advice: string
}

const WHOLE_COPY =
  'A whole copy, from a backup or from before a move, can be put beside it: it is then read instead.'

/** One clear text for each code; docs/problems.md has the same. */
export const ISSUE_TEXTS: Readonly<Record<ParseIssueCode, IssueText>> = {
  'empty-file': {
    reason: 'The file is empty: the CLI was stopped before it wrote anything.',
    advice: 'Nothing is lost; the file can be deleted.',
  },
  'not-a-session': {
    reason: 'This is not a Gemini CLI session, though its name looks like one.',
    advice: 'If another program put it here, it can stay.',
  },
  'truncated-json': {
    reason: 'The file ends in the middle{at}. The whole messages before are shown; Gemini CLI reads none.',
    advice: WHOLE_COPY,
  },
  'broken-json': {
    reason: 'The JSON of the file breaks off. The whole messages before are shown; Gemini CLI reads none.',
    advice: WHOLE_COPY,
  },
  'text-behind': {
    reason: 'Something else follows the session in its file. Its messages are shown; Gemini CLI reads none.',
    advice: 'What follows is often the rest of an older, longer version. An editor can remove it.',
  },
  'nothing-whole': {
    reason: 'The file breaks off before its first whole message{at}. Nothing can be shown.',
    advice: WHOLE_COPY,
  },
  'utf-16': {
    reason: 'The file is written in UTF-16. Its messages are shown; Gemini CLI reads UTF-8 only.',
    advice:
      'To resume the session, save the file as UTF-8. PowerShell 5 writes UTF-16 where it redirects output.',
  },
  'spread-record': {
    reason: 'Records are spread over several lines{at}. They are shown; Gemini CLI reads one record a line.',
    advice:
      'A formatter or an editor did it. To resume the session, write one record a line again, for example with jq -c.',
  },
  'torn-tail': {
    reason: 'The last line is incomplete{at}: the CLI may still be writing.',
    advice: 'If no CLI is running, it was stopped in the middle of this line. Everything before it is shown.',
  },
  'bad-line': {
    reason: 'A line is not JSON and was passed over{at}.',
    advice: 'Everything else in the file is shown. A full disk or a power loss leaves such lines.',
  },
  'glued-line': {
    reason: 'A record was cut off, and the next one stands behind it on the same line{at}.',
    advice:
      'The whole one is shown in its place; what was cut off is lost. A CLI that is killed while it writes leaves such lines.',
  },
  'odd-prompt-log': {
    reason:
      'The prompt log is cut, or has another form than Gemini CLI writes. Its prompts are shown as far as they can be read.',
    advice: 'Gemini CLI sets such a file aside at its next start and begins a new one.',
  },
  'no-metadata': {
    reason: 'The file does not name its session; id and time come from the file name.',
    advice: 'Its messages are shown. The CLI itself does not list such a file.',
  },
  unreadable: {
    reason: 'The system does not let us read it.',
    advice: 'Check who owns the file and who may read it; it is read as soon as that is possible.',
  },
  'too-deep': {
    reason: 'A value is nested too deeply and is kept as text{at}.',
    advice: 'Nothing is lost; it is shown as plain JSON.',
  },
  'too-large': {
    reason:
      'A value{size} is too large to be shown as it is{at}: it is shown as text, or as its beginning. The file still holds it.',
    advice: 'The raw record of its message has all of it.',
  },
  'unknown-record': {
    reason: 'A record of an unknown kind was passed over{at}.',
    advice: 'A newer CLI may have written it: look for a newer gemini-dash, or report it.',
  },
  'unknown-type': {
    reason: 'A message is of an unknown type{at} and is shown as it was recorded.',
    advice: 'A newer CLI may have written it: look for a newer gemini-dash, or report it.',
  },
  'bad-field': {
    reason: 'A field is of an unexpected type{at}.',
    advice: 'The rest of the message is shown; its raw record is one click away.',
  },
  'outside-home': {
    reason: 'A link leads out of the Gemini home, so it was not followed.',
    advice: 'To read what it leads to, name that place with --home.',
  },
  'not-a-file': {
    reason: 'This is a folder or a device, not a file.',
    advice: 'If it holds sessions, move them up into chats/.',
  },
  'broken-link': {
    reason: 'This is a link to something that is not there.',
    advice: 'Bring back what it led to, or remove the link.',
  },
  'left-out': {
    reason: 'This is named like something of a session, but it is none.',
    advice: 'It can stay where it is.',
  },
}

/** What one issue means, for people. */
export function explainIssue(issue: ParseIssue): string {
  const { code, at, args } = issue
  const kind = kindOfIssue(issue)
  if (kind !== null) return FILE_KINDS[kind].reason
  if (code === 'unreadable' && typeof args.reason === 'string') return args.reason
  const size = typeof args.sizeBytes === 'number' ? ` of ${formatSize(args.sizeBytes)}` : ''
  return ISSUE_TEXTS[code].reason.replace('{size}', size).replace('{at}', at === '' ? '' : ` (${at})`)
}

/** What to do about it. */
export function adviseOn(issue: Pick<ParseIssue, 'code' | 'args'>): string {
  const kind = kindOfIssue(issue)
  return kind === null ? ISSUE_TEXTS[issue.code].advice : FILE_KINDS[kind].advice
}

/** Nothing is missed: the whole file is something else, with nothing of Gemini CLI. */
export function isHarmless(issue: Pick<ParseIssue, 'args'>): boolean {
  const kind = kindOfIssue(issue)
  return kind !== null && !FILE_KINDS[kind].needsAttention
}
