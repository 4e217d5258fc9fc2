import zlib from 'node:zlib'; import { readdirSync, readFileSync, statSync } from 'node:fs'; import { join } from 'node:path'
const root = process.argv[2]
let n = 0, raw = 0, g = 0, b = 0, b18 = 0
for (const p of readdirSync(join(root, 'tmp'), { recursive: true })) { const f = join(root, 'tmp', p); if (!statSync(f).isFile() || /\.keep$|shell_history|\/logs\//.test(f)) continue
  const bytes = readFileSync(f); n++; raw += bytes.length; g += zlib.gzipSync(bytes, { level: 6 }).length
  const br = (w) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4, [zlib.constants.BROTLI_PARAM_LGWIN]: w, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length
  b += br(24); b18 += br(18) }
console.log(root, { n, raw, gzip6: g, brotli4_w24: b, brotli4_w18: b18 })
