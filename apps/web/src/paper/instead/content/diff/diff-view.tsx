/** At once: nothing is loaded later. */
export { default as DiffView } from '../../../../content/diff/diff-table.tsx'
