import './content.css'
import './markdown.css'
import type { Element, ElementContent, Root, RootContent, Text } from 'hast'
import { Circle, CircleCheck, ImageOff } from 'lucide-react'
import { memo, type ReactNode, useContext, useId, useMemo } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { classNames } from '../lib/browser.ts'
import { Icon } from '../ui/icons.tsx'
import { ScrollRegion } from '../ui/scroll-region.tsx'
import { CodeBlock } from './code-block.tsx'
import { HitContext, type HitTerm, isActing, markRanges, visibleControls } from './machine-text.tsx'

/** Recorded Markdown, rendered as elements, never as HTML; raw HTML in it stays text. */
export const Markdown = memo(function Markdown({ text, isSmall }: { text: string; isSmall?: boolean }) {
  const terms = useContext(HitContext)
  const id = useId()
  const options = useMemo(() => optionsFor(id, terms), [id, terms])
  return (
    <div className={classNames('prose', isSmall && 'small')} dir="auto">
      <ReactMarkdown {...options}>{text}</ReactMarkdown>
    </div>
  )
})

// Only footnotes have ids, which already include a prefix for this message.
const schema = { ...defaultSchema, clobberPrefix: '' }

function optionsFor(id: string, terms: readonly HitTerm[]): Options {
  const marking = terms.length === 0 ? [] : [() => rehypeMarkHits(terms)]
  return {
    remarkPlugins: [remarkGfm],
    rehypePlugins: [rehypeRawAsText, [rehypeSanitize, schema], ...marking, rehypeShowControls],
    remarkRehypeOptions: { clobberPrefix: `note-${id.replace(/\W/g, '')}-`, footnoteLabelTagName: 'h6' },
    components,
  }
}

// Headings in an answer are below those of the page and the turn.
const components: Components = {
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <RemoteImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
  pre: ({ node }) => <CodeBlock {...codeOf(node)} />,
  table: ({ children }) => (
    <ScrollRegion label="Table">
      <table>{children}</table>
    </ScrollRegion>
  ),
  input: ({ checked }) => (
    <span className="task-mark">
      <Icon of={checked ? CircleCheck : Circle} small />
      <span className="visually-hidden">{checked ? 'done:' : 'open:'}</span>
    </span>
  ),
}

/** Text and language of a fenced block, from its `pre` element. */
function codeOf(pre: Element | undefined): { code: string; language: string | null } {
  const code = pre?.children.find((child) => child.type === 'element' && child.tagName === 'code')
  const classes = code?.type === 'element' ? code.properties.className : null
  const name = Array.isArray(classes)
    ? classes.map(String).find((name) => name.startsWith('language-'))
    : undefined
  return {
    code: textOf(pre?.children ?? []).replace(/\n$/, ''),
    language: name?.slice('language-'.length) ?? null,
  }
}

function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('')
}

/** Remote pictures are never fetched: a request would reveal to their host who reads what. */
function RemoteImage({ src, alt }: { src?: string | undefined; alt?: string | undefined }) {
  return (
    <span className="remote-image">
      <Icon of={ImageOff} small />
      <span dir="auto">{alt || 'Image'}</span> <span className="dim">not loaded{placeOf(src)}</span>
    </span>
  )
}

function placeOf(src: string | undefined): string {
  try {
    const url = new URL(src ?? '')
    return url.host === '' ? '' : ` from ${url.host}`
  } catch {
    return ''
  }
}

/** A rehype plugin that highlights search words in prose. Code highlights its own. */
function rehypeMarkHits(terms: readonly HitTerm[]) {
  return (tree: Root) => {
    tree.children = tree.children.flatMap((node) => markNode(node, terms)) as RootContent[]
  }
}

function markNode(
  node: RootContent | ElementContent,
  terms: readonly HitTerm[],
): (RootContent | ElementContent)[] {
  if (node.type === 'text') return markRanges(node.value, terms).map(toNode)
  if (node.type !== 'element' || node.tagName === 'pre') return [node]
  return [{ ...node, children: node.children.flatMap((child) => markNode(child, terms)) as ElementContent[] }]
}

function toNode(piece: { text: string; isHit: boolean }): ElementContent {
  const text = { type: 'text', value: piece.text } as const
  if (!piece.isHit) return text
  return { type: 'element', tagName: 'mark', properties: {}, children: [text] } satisfies Element
}

/**
 * A rehype plugin that shows raw HTML as text. Otherwise the sanitizer would remove the tags, and an answer about HTML would lose its
 * subject.
 */
function rehypeRawAsText() {
  return (tree: Root) => {
    tree.children = tree.children.map((node) => {
      const text = toText(node)
      return text ? { type: 'element', tagName: 'p', properties: {}, children: [text] } : withTexts(node)
    })
  }
}

function withTexts<T extends RootContent | ElementContent>(node: T): T {
  if (node.type !== 'element') return node
  const children = node.children.map((child) => toText(child) ?? withTexts(child))
  return { ...(node as Element), children } as T
}

/** `raw` is not a standard HTML node; it exists only between Markdown and sanitizer. */
function toText(node: RootContent | ElementContent): Text | null {
  const isRaw = (node.type as string) === 'raw' && 'value' in node
  return isRaw ? { type: 'text', value: node.value } : null
}

/** A rehype plugin that writes out harmful characters in prose, and all invisible ones in inline code. Code blocks handle their own. */
function rehypeShowControls() {
  return (tree: Root) => {
    tree.children = tree.children.flatMap((node) => showIn(node, false)) as RootContent[]
  }
}

function showIn(node: RootContent | ElementContent, isCode: boolean): (RootContent | ElementContent)[] {
  if (node.type === 'text') {
    const runs = isCode ? visibleControls(node.value) : visibleControls(node.value, isActing)
    return runs.map(({ text, control }) =>
      control === null ? { type: 'text', value: text } : toMark(control),
    )
  }
  if (node.type !== 'element' || node.tagName === 'pre') return [node]
  const children = node.children.flatMap((child) => showIn(child, isCode || node.tagName === 'code'))
  return [{ ...node, children: children as ElementContent[] }]
}

function toMark(control: string): Element {
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: ['control-mark'], title: `Invisible character ${control}` },
    children: [{ type: 'text', value: control }],
  }
}

/** A recorded link if it is safe, else only its text. Opens in a new tab without a referrer. */
export function SafeLink({ href, children }: { href?: string | undefined; children: ReactNode }) {
  const policy = linkPolicy(href)
  if (policy.kind === 'inert') return <span className="inert-link">{children}</span>
  if (policy.kind === 'anchor') {
    return (
      <a className="link" href={policy.href}>
        {children}
      </a>
    )
  }
  return (
    <>
      <a
        className="link"
        href={policy.href}
        title={policy.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {children}
      </a>
      {policy.warning !== null && <span className="link-warning"> ({policy.warning})</span>}
    </>
  )
}

/** Allowed targets of a recorded link: only these three schemes and in-page anchors. */
type LinkPolicy =
  | { kind: 'external'; href: string; warning: string | null }
  | { kind: 'anchor'; href: string }
  | { kind: 'inert' }

const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Checks the parsed URL rather than its spelling: entities, tabs and case have no effect after `new URL`. */
export function linkPolicy(href: string | undefined): LinkPolicy {
  if (href === undefined || href === '') return { kind: 'inert' }
  if (/^#[^\s]*$/.test(href)) return { kind: 'anchor', href }
  const url = parseAbsolute(href)
  if (url === null || !SAFE_SCHEMES.has(url.protocol)) return { kind: 'inert' }
  return { kind: 'external', href: url.href, warning: warningOf(url) }
}

function parseAbsolute(href: string): URL | null {
  try {
    return new URL(href)
  } catch {
    return null
  }
}

/** Names the real host of a potentially misleading URL. */
function warningOf(url: URL): string | null {
  if (url.protocol === 'mailto:') return null
  if (url.username !== '' || url.password !== '') return `leads to ${url.host}`
  return url.hostname.split('.').some((label) => label.startsWith('xn--')) ? url.hostname : null
}
