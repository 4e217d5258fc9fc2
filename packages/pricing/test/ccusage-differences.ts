/** Fresh input (including tool-use tokens), cached, output, total, and USD. */
export type Sums = readonly [fresh: number, cached: number, output: number, total: number, usd: number]

export interface Difference {
  /** Folder in `fixtures`. */
  home: string
  /** Why the two programs disagree. */
  because: string
  /** By either program's name for the session; null: unknown to that program. */
  sessions: Record<string, { ours: Sums | null; theirs: Sums | null }>
}

const COPIED =
  'A session whose files stand in two project folders is one session: the CLI copies folders when it gives them names.'
const IN_A_REWRITE =
  'Calls that a log records only inside a rewrite of its history ($set.messages) were calls all the same.'
const TOTAL_ONLY =
  'Where only a total is recorded, nobody knows what of it was output: we leave it without a price.'
const NO_ID = 'A file without readable metadata has the id that its name holds.'

/** Every session of the fixtures for which `ccusage` 20.0.24 reports other figures. */
export const DIFFERENCES: readonly Difference[] = [
  {
    home: 'home',
    because: COPIED,
    sessions: {
      cda50abb: {
        ours: [9389, 8188, 41, 17_683, 0.01381975],
        theirs: [18_778, 16_376, 82, 35_366, 0.0276395],
      },
    },
  },
  {
    home: 'sessions/hash-and-slug',
    because: COPIED,
    sessions: {
      fd8bf727: { ours: [2251, 0, 8, 2259, 0.00289375], theirs: [4502, 0, 16, 4518, 0.0057875] },
    },
  },
  {
    home: 'tokens/both-sides-of-200000',
    because:
      'The tier is chosen by the input alone. With 2 tool-use tokens added, 199,999 becomes a call of the higher tier.',
    sessions: {
      '603f4700': {
        ours: [898_583, 1_350_001, 1015, 2_249_619, 1.80406705],
        theirs: [898_583, 1_350_001, 1015, 2_249_619, 2.0540733],
      },
    },
  },
  {
    home: 'tokens/missing-tokens',
    because: TOTAL_ONLY,
    sessions: {
      '067234b3': { ours: [600, 0, 30, 1530, 0.00105], theirs: [600, 0, 930, 1530, 0.01005] },
    },
  },
  {
    home: 'sessions/odd-tokens',
    because: TOTAL_ONLY,
    sessions: {
      f10b1535: { ours: [15, 0, 3, 27, 0.00004875], theirs: [15, 0, 12, 27, 0.00013875] },
    },
  },
  {
    home: 'tokens/price-of-the-day',
    because: 'A call costs what it cost on its day. ccusage prices all days alike.',
    sessions: {
      '89d89f08': { ours: [1200, 800, 200, 2200, 0.002565], theirs: [1200, 800, 200, 2200, 0.00171] },
    },
  },
  {
    home: 'tokens/several-models',
    because: 'Gemma has no price on the Gemini API. ccusage takes that of another provider.',
    sessions: {
      '9c7b1000': {
        ours: [8000, 2000, 1000, 11_500, 0.011028],
        theirs: [8000, 2000, 1000, 11_500, 0.011155],
      },
    },
  },
  {
    home: 'sessions/damaged-lines',
    because: NO_ID,
    sessions: {
      ff017086: { ours: [10, 0, 1, 11, 0.0000225], theirs: null },
      'session-': { ours: null, theirs: [10, 0, 1, 11, 0.0000225] },
    },
  },
  {
    home: 'sessions/no-metadata',
    because: NO_ID,
    sessions: {
      '5e551017': { ours: [10, 0, 1, 11, 0.0000225], theirs: null },
      'session-': { ours: null, theirs: [10, 0, 1, 11, 0.0000225] },
    },
  },
  {
    home: 'sessions/document-named-jsonl',
    because: 'A JSON document named .jsonl is read by what it holds, not by its name.',
    sessions: {
      d1000b49: { ours: [20, 0, 2, 22, 0.000045], theirs: null },
      '32fcb46a': { ours: [10, 0, 1, 11, 0.0000225], theirs: null },
    },
  },
  {
    home: 'sessions/rewrites-only',
    because: IN_A_REWRITE,
    sessions: { d04f0f4c: { ours: [10, 0, 1, 11, 0.0000225], theirs: null } },
  },
  {
    home: 'sessions/same-rewrite-again',
    because: IN_A_REWRITE,
    sessions: { '519f496b': { ours: [10, 0, 1, 11, 0.0000225], theirs: null } },
  },
  {
    home: 'sessions/thoughts',
    because: IN_A_REWRITE,
    sessions: { '8462b512': { ours: [30, 0, 3, 43, 0.0001675], theirs: [10, 0, 1, 18, 0.0000925] } },
  },
]
