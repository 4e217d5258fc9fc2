import './paper.css'

/** What the program loads: see `PaperProgram` in packages/api. */
export { layPaper } from './lay-paper.tsx'
