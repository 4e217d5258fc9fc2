import { MEMORY, openDatabase } from '../../../../packages/session-index/src/driver.ts'

// Run by each measured Node.js: prints its version, and the SQLite that the index uses there.
const database = openDatabase(MEMORY)
const { driver } = database
database.close()
process.stdout.write(JSON.stringify({ version: process.versions.node, driver }))
