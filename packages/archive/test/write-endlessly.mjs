import { appendFileSync } from 'node:fs'

// Parts of lines, as seen on a slow disk.
const [, , path] = process.argv
process.stdout.write('begins')
for (let n = 0; ; n++) appendFileSync(path, n % 3 === 2 ? `end ${n}"}\n` : `{"part":"${n} `)
