import type { ParseIssue } from 'gemini-sessions'

/** One sentence for people. */
export function explainIssue({ code, at, args }: ParseIssue): string {
  const place = at === '' ? '' : ` (${at})`
  switch (code) {
    case 'empty-file':
      return 'The file is empty: the CLI was stopped before it wrote anything.'
    case 'not-a-session':
      return 'This is not a Gemini CLI session, though its name looks like one.'
    case 'truncated-json':
      return `The file ends in the middle${place}; whole messages before that are kept, though the CLI reads none of it.`
    case 'torn-tail':
      return `The last line is incomplete${place}: the CLI may still be writing.`
    case 'bad-line':
      return `A line is not JSON and was passed over${place}.`
    case 'no-metadata':
      return 'The log has no metadata line; its id and time come from the file name.'
    case 'unreadable':
      return typeof args.reason === 'string' ? args.reason : 'The system does not let us read it.'
    case 'too-deep':
      return `A value is nested too deeply and is kept as text${place}.`
    case 'too-large':
      return `A value is too large to be shown${place}; the file still holds it.`
    case 'unknown-record':
      return `A record of an unknown kind was passed over${place}.`
    case 'unknown-type':
      return `A message is of an unknown type${place}.`
    case 'bad-field':
      return `A field is of an unexpected type${place}.`
    case 'outside-home':
      return 'A link leads out of the Gemini home, so it was not followed.'
    case 'not-a-file':
      return 'This is a folder or a device, not a file.'
  }
}
