/** Where an action is meant: it acts only while what it acts on is drawn. */
export type ActionPlace =
  | 'pages'
  | 'everywhere'
  | 'rows'
  | 'session'
  | 'list'
  | 'search'
  | 'usage'
  | 'compare'
  | 'file'
  | 'health'
  | 'settings'

export interface Action {
  /** What it does, as menus, the palette and the sheet of keys say it. */
  words: string
  /** As tinykeys reads them; several lead to the same. None: by menu and palette alone. */
  keys: readonly string[]
  place: ActionPlace
  /** One step of many, which only a key is good for: not in the palette. */
  isStep?: true
  /** Offered by the palette before anything is typed. */
  isFirst?: true
  /** A place in a page that is offered itself. */
  isPart?: true
  /** Of a page: its address. */
  href?: string
}
