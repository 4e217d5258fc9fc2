import './paper.css'

/** Loaded by the program: see `PaperProgram` in packages/api. */
export { layPaper } from './lay-paper.tsx'
