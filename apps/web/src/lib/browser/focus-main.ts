/** What was pressed is taken away by that: the focus goes on to the content of the page, and not to nowhere. */
export function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}
