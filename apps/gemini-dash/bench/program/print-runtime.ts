import { MEMORY, openDatabase } from '../../../../packages/session-index/src/driver.ts'

// Run by each Node that is measured: which it is, and which SQLite the index gets there.
const database = openDatabase(MEMORY)
const { driver } = database
database.close()
process.stdout.write(JSON.stringify({ version: process.versions.node, driver }))
