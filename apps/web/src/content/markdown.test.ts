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

  test('is read in the order in which it is written: what would reorder it is named', () => {
    const html = render('open \u202Egpj.exe\u202C and `rm \u200Fx`, שלום\u200F too')
    expect(html).not.toMatch(/[\u202a-\u202e]/)
    expect(html).toContain('title="Invisible character U+202E">U+202E</span>gpj.exe')
    expect(html).toContain('>U+200F</span>x</code>, שלום\u200F too')
  })

  test('R16: never becomes HTML of its own: tags stay text', () => {
    const html = render('<script>alert(1)</script>\n\n<img src=x onerror=alert(2)> <b onclick="x">bold</b>')
    expect(html).not.toMatch(/<(script|img|b)\b/)
    expect(html).toContain('&lt;script&gt;')
  })

  test('R13: has no link that runs code', () => {
    const html = render('[run](javascript:alert(1)) ![pixel](data:text/html,x) [go](https://example.org/)')
    expect(html).not.toContain('javascript:')
    expect(html).not.toContain('<img')
    expect(html).toContain('href="https://example.org/"')
  })
})
