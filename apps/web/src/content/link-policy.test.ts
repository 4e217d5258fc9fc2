import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linkPolicy } from './markdown.tsx'

describe('R15: a recorded link', () => {
  test.each([
    ['http://127.0.0.1:9/x', 'http://127.0.0.1:9/x'],
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['HTTPS://EXAMPLE.org', 'https://example.org/'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
  ])('%s leads out', (href, expected) => {
    expect(linkPolicy(href)).toMatchObject({ kind: 'external', href: expected })
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.org/1',
    'ftp://example.org/',
    'view-source:https://example.org',
    'chrome://settings',
    'intent://x#Intent;end',
    '//example.org/x',
    '/api/sessions',
    'src/price.js',
    '../up',
    '',
    '# with blanks',
    undefined,
  ])('%s stays text', (href) => {
    expect(linkPolicy(href)).toEqual({ kind: 'inert' })
  })

  test('an anchor stays on the page', () => {
    expect(linkPolicy('#user-content-fn-1')).toEqual({ kind: 'anchor', href: '#user-content-fn-1' })
  })

  test('names the true host behind user info and punycode', () => {
    expect(linkPolicy('https://google.com@evil.example/')).toMatchObject({ warning: 'leads to evil.example' })
    expect(linkPolicy('https://аpple.com/')).toMatchObject({ warning: 'xn--pple-43d.com' })
    expect(linkPolicy('https://apple.com/')).toMatchObject({ warning: null })
  })

  test('no text whatsoever becomes a link of another scheme', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('', 'javascript:', 'data:', ' \tjavascript:'),
        (text, prefix) => {
          const policy = linkPolicy(prefix + text)
          if (policy.kind === 'external') expect(policy.href).toMatch(/^(https?|mailto):/)
          if (policy.kind === 'anchor') expect(policy.href.startsWith('#')).toBe(true)
        },
      ),
    )
  })
})
