import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

function render(text: string): string {
  return renderToStaticMarkup(createElement(Markdown, { text }))
}

describe('recorded Markdown', () => {
  test('becomes elements', () => {
    expect(render('**bold** and `code`')).toContain('<strong>bold</strong> and <code>code</code>')
  })

  test('never becomes HTML of its own: tags stay text', () => {
    const html = render('<script>alert(1)</script>\n\n<img src=x onerror=alert(2)> <b onclick="x">bold</b>')
    expect(html).not.toMatch(/<(script|img|b)\b/)
    expect(html).toContain('&lt;script&gt;')
  })

  test('has no link that runs code', () => {
    const html = render('[run](javascript:alert(1)) ![pixel](data:text/html,x) [go](https://example.org/)')
    expect(html).not.toContain('javascript:')
    expect(html).not.toContain('<img')
    expect(html).toContain('href="https://example.org/"')
  })
})
