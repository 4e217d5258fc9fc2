import { createHash } from 'node:crypto'

/** What stands before and after a session's strips: a document that runs nothing and asks nobody for anything. */
export class HtmlFrame {
  readonly #style: string
  readonly #policy: string

  constructor(style: string) {
    this.#style = style
    const hash = createHash('sha256').update(style).digest('base64')
    this.#policy = [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      // the exact colours of a terminal stand at its words
      "style-src-attr 'unsafe-inline'",
      'img-src data:',
      'font-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; ')
  }

  head({ title, version, top }: { title: string; version: string; top: string }): string {
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${this.#policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="gemini-dash ${escapeHtml(version)}">
<title>${escapeHtml(title)}</title>
<style>${this.#style}</style>
</head>
<body>
${top}`
  }

  tail(bottom: string): string {
    return `${bottom}
</body>
</html>
`
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)
}
