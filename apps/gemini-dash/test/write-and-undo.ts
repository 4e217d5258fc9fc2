import { HomeWriter } from '../src/home-writes/home-writer.ts'

// Writes to a home and undoes it, repeatedly, until it is killed: `home-writer.test.ts`.
const [home = '', dataFolder = ''] = process.argv.slice(2)
const writer = new HomeWriter(dataFolder)
const of = (name: string, size: number) => ({
  parts: ['tmp', 'shop', 'chats', ...name.split('/')],
  bytes: Buffer.alloc(size, name),
})
process.stdout.write('ready\n')
for (let round = 0; ; round++) {
  const files = [of(`agent-${round}/one.jsonl`, 300_000), of(`session-${round}-aaaaaaaa.jsonl`, 2_000_000)]
  const { entry } = await writer.write({ what: 'recover', sessionKey: 'k', home, files }, async () => null)
  if (round % 2 === 0) await writer.undo(entry.id)
}
