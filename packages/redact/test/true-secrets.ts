/** Assembled from pieces, so that no scanner reports this file as a leak; none was ever valid. */
const HEX = '0123456789abcdef'
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LETTERS = `${UPPER}${UPPER.toLowerCase()}`
const ALNUM = `${LETTERS}0123456789`

let seed = 7
/** The same on every run. */
function made(length: number, alphabet = ALNUM): string {
  let text = ''
  while (text.length < length) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    text += alphabet.charAt((seed >>> 16) % alphabet.length)
  }
  return text
}

const BASE32 = `${UPPER}234567`
const pem = (kind: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${made(64)}\n${made(64)}\n-----END ${kind}PRIVATE KEY-----`

/** By form: the secret alone; the text around it varies by index. */
const BY_FORM: string[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'npm_'].map((start) => start + made(36)),
  ...['glpat-', 'gldt-', 'glrt-', 'glsoat-', 'glft-'].map((start) => start + made(20)),
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((start) => start + made(16, BASE32)),
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xapp-'].map((start) => `${start}${made(12, '0123456789')}-${made(24)}`),
  ...['sk_live_', 'sk_test_', 'rk_live_', 'whsec_'].map((start) => start + made(24)),
  ...['dop_v1_', 'doo_v1_', 'dor_v1_', 'sk-or-v1-'].map((start) => start + made(64, HEX)),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_', 'key-', 'dapi', 'SK'].map((start) => start + made(32, HEX)),
  ...['hvs.', 'hvb.'].map((start) => start + made(90)),
  ...['glsa_', 'glc_', 'pscale_tkn_', 'pscale_pw_'].map((start) => start + made(43)),
  ...['sk-proj-', 'sk-svcacct-', 'sk-ant-api03-', 'sk-ant-admin01-'].map((start) => start + made(93)),
  ...['AIza', 'AIza', 'AIza'].map((start) => start + made(35)),
  `ya29.${made(120)}`,
  `GOCSPX-${made(28)}`,
  `1//0${made(60)}`,
  `github_pat_${made(22)}_${made(59)}`,
  `ABSK${made(112)}==`,
  `sk-${made(48)}`,
  `hf_${made(34, LETTERS)}`,
  `SG.${made(22)}.${made(43)}`,
  `pypi-AgE${made(80)}`,
  `sq0atp-${made(22)}`,
  `lin_api_${made(40)}`,
  `ntn_${made(46)}`,
  `NRAK-${made(27, BASE32)}`,
  `PMAK-${made(24, HEX)}-${made(34, HEX)}`,
  `rubygems_${made(48, HEX)}`,
  `sbp_${made(40, HEX)}`,
  `pplx-${made(48)}`,
  `gsk_${made(52)}`,
  `xai-${made(80)}`,
  `r8_${made(37)}`,
  `fm2_${made(60)}`,
  `AGE-SECRET-KEY-1${made(58, BASE32)}`,
  `dckr_pat_${made(27)}`,
  `ATATT3${made(80)}`,
  `sntrys_${made(70)}`,
  `figd_${made(40)}`,
  `tskey-auth-${made(24)}`,
  `AKCp${made(69)}`,
  `dt0c01.${made(24, UPPER)}.${made(64, UPPER)}`,
  `pul-${made(40, HEX)}`,
  `eyJ${made(30)}.eyJ${made(60)}.${made(43)}`,
  `eyJ${made(17)}.eyJ${made(200)}.${made(86)}`,
]

const SURROUNDINGS: ((secret: string) => string)[] = [
  (secret) => `use ${secret} for it`,
  (secret) => `{"key":"${secret}"}`,
  (secret) => `first\\n${secret}\\nlast`,
  (secret) => `KEY=${secret}\nNEXT=1`,
  (secret) => secret,
]

/** By name or context. */
const BY_PLACE: [text: string, secret: string][] = [
  ...['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '].map((kind): [string, string] => {
    const block = pem(kind)
    return [`cat key.pem\n${block}\ndone`, block]
  }),
  ...(
    [
      ['DB_PASSWORD=', ''],
      ['password: "', '"'],
      ["passwd => '", "'"],
      ['{\\"password\\": \\"', '\\"}'],
      ['PGPASSWORD=', ' psql'],
      ['API_KEY=', ''],
      ['"apiKey": "', '"'],
      ["client_secret = '", "'"],
      ['aws_secret_access_key = ', ''],
      ['"access_token":"', '","expires":1'],
      ['refresh_token: ', ''],
      ['auth-token: ', ''],
      ['SECRET_KEY := "', '"'],
      ['//registry/:_authToken=', ''],
      ['AccountKey=', ''],
      ['signing_secret: ', ''],
      ['Authorization: Bearer ', ''],
      ['authorization: Basic ', ''],
      ["-H 'Authorization: token ", "'"],
      ['postgres://app:', '@db/app'],
      ['mongodb+srv://app:', '@cluster0.mongodb.net'],
      ['redis://:', '@cache:6379'],
      ['https://user:', '@host/path.git'],
      ['mysql --password ', ' app'],
      ['tool --token=', ' run'],
    ] as const
  ).map(([before, after]): [string, string] => {
    const secret = `${made(22)}7q${made(22)}`
    return [`${before}${secret}${after}`, secret]
  }),
]
const cookie = `session=${made(40)}`
const hook = `https://hooks.slack.com/services/T${made(8)}/B${made(8)}/${made(24)}`

export const TRUE_SECRETS: [text: string, secret: string][] = [
  ...BY_FORM.map((secret, position): [string, string] => [
    SURROUNDINGS[position % SURROUNDINGS.length]?.(secret) ?? secret,
    secret,
  ]),
  ...BY_PLACE,
  [`Cookie: ${cookie}`, cookie],
  [`post to ${hook}`, hook.slice('https://'.length)],
]
