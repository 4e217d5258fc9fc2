import { type FindAt, isPlaceholder, type Span, secretSpan } from './changes.ts'
import { decodeBase64 } from './find-assignments.ts'
import { unwrapped } from './known.ts'

/** A secret that can be told by its form. */
interface TokenRule {
  name: string
  /** One of these begins it; looked for first, since a literal is found fast. */
  anchors: readonly string[]
  /** From the anchor on. Every repetition is bounded, and none can be divided in two ways: linear on any input. */
  shape: RegExp
  /** What of the secret stands before the anchor, where that is in its middle. */
  behind?: RegExp
}

const END = '(?![A-Za-z0-9_-])'
const ALNUM = '[A-Za-z0-9]'
const WORD = '[A-Za-z0-9_-]'
const HEX = '[0-9a-f]'
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const BASE64 = '[A-Za-z0-9+/_-]'

function rule(name: string, anchors: string, rest: string, end = END): TokenRule {
  const list = anchors.split(' ')
  const start = list.map((anchor) => anchor.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return { name, anchors: list, shape: new RegExp(`(?:${start})${rest}${end}`) }
}

/** As `rule`; `behind` is what stands before the anchor. */
function inner(name: string, behind: string, anchors: string, rest: string, end = END): TokenRule {
  return { ...rule(name, anchors, rest, end), behind: new RegExp(`(?<![A-Za-z0-9])${behind}$`) }
}

/** Each kind by the form that its maker documents. */
const TOKEN_RULES: readonly TokenRule[] = [
  rule('Google API key', 'AIza', `${WORD}{35}`),
  rule('Google API key', 'AQ.Ab', `${WORD}{30,120}`),
  rule('Google access token', 'ya29.', `[A-Za-z0-9_.-]{20,2000}`),
  rule('Google client secret', 'GOCSPX-', `${WORD}{20,40}`),
  rule('Google refresh token', '1//0', `${WORD}{40,200}`),
  rule('Google authorization code', '4/0A', `${WORD}{40,200}`),
  rule('Firebase token', 'AMf-vB', `${WORD}{60,400}`),
  inner('Firebase key', `AAAA${WORD}{7}`, ':APA91b', `${WORD}{100,200}`),
  rule('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', `${ALNUM}{36,255}`),
  rule('GitHub token', 'github_pat_', '[A-Za-z0-9_]{60,255}'),
  rule(
    'GitLab token',
    'glpat- gldt- glrt- glrtr- glcbt- glsoat- glptt- glft- glimt- glagent- gloas- glffct- glwt-',
    `${WORD}{20,300}(?:\\.${ALNUM}{2}\\.${ALNUM}{7,10})?`,
  ),
  rule('GitLab token', 'GR1348941', `${WORD}{20}`),
  rule('AWS access key', 'AKIA ASIA ABIA ACCA', '[A-Z2-7]{16}'),
  rule('AWS Bedrock key', 'ABSK', '[A-Za-z0-9+/]{100,269}={0,2}'),
  rule('AWS session token', 'IQoJb3JpZ2luX2', '[A-Za-z0-9+/]{100,2000}={0,2}'),
  rule(
    'Slack token',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp- xwfp-',
    '[A-Za-z0-9%.-]{20,400}',
  ),
  rule(
    'Slack webhook',
    'hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/',
    '[A-Za-z0-9/]{20,90}',
  ),
  rule(
    'Stripe key',
    'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ sk_org_live_ sk_org_test_ ek_live_ ek_test_ whsec_',
    '[A-Za-z0-9+/_]{16,250}={0,2}',
  ),
  rule('npm token', 'npm_', `${ALNUM}{36}`),
  rule('Anthropic key', 'sk-ant-', `${WORD}{40,200}`),
  rule('OpenRouter key', 'sk-or-v1-', `${HEX}{64}`),
  rule('Langfuse key', 'sk-lf-', UUID),
  rule('OpenAI key', 'sk-proj- sk-svcacct- sk-admin- sk-None- sess-', `${WORD}{40,250}`),
  rule('API key', 'sk-helicone- sk-litellm-', `${WORD}{20,100}`),
  rule('OpenAI key', 'sk-', `${ALNUM}{32,64}`),
  rule('ElevenLabs key', 'sk_', `${HEX}{48}`),
  rule('JSON web token', 'eyJ', `${WORD}{8,4000}\\.eyJ${WORD}{4,8000}\\.${WORD}{16,2000}`),
  rule(
    'JSON web token',
    'eyJ',
    `${WORD}{16,2000}\\.${WORD}{0,800}\\.${WORD}{12,100}\\.${WORD}{12,8000}\\.${WORD}{16,100}`,
  ),
  rule('Hugging Face token', 'hf_ api_org_', `(?=[A-Za-z0-9]{0,33}[A-Z])${ALNUM}{34,40}`),
  rule('SendGrid key', 'SG.', `${WORD}{16,32}\\.${WORD}{16,64}`),
  rule('Twilio key', 'SK', `${HEX}{32}`),
  rule('Mailgun key', 'key-', `${HEX}{32}`),
  rule('API key', 'key_', `${HEX}{32,64}`),
  rule('Mailchimp key', 'md-', `${WORD}{22}`),
  inner('Mailchimp key', `${HEX}{32}`, '-us', '[0-9]{1,2}'),
  rule('Brevo key', 'xkeysib- xsmtpsib-', `${HEX}{64}-${ALNUM}{16}`),
  rule('PyPI token', 'pypi-AgE', `${WORD}{50,1000}`),
  rule('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_ dos_v1_', `${HEX}{64}`),
  rule('Shopify token', 'shpat_ shpca_ shppa_ shpss_ shptka_', '[0-9a-fA-F]{32}'),
  rule('Square token', 'sq0atp- sq0csp- sq0idp- EAAA', `${WORD}{22,60}`),
  rule(
    'Facebook token',
    'EAAC EAAG EAAM EAAB EAAD EAAE EAAF EAAH EAAJ EAAP EAAU',
    `(?=[A-Za-z]{0,59}[0-9])${ALNUM}{60,400}`,
  ),
  rule('Instagram token', 'IGQV IGAA', `${WORD}{60,400}`),
  rule('X token', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{40,200}'),
  rule('Databricks token', 'dapi', `${HEX}{32}(?:-[0-9])?`),
  rule('Vault token', 'hvs. hvb. hvr.', `${WORD}{24,300}`),
  rule(
    'Vault token',
    's. b.',
    `(?=[A-Za-z]{0,22}[0-9])(?=[a-z0-9]{0,22}[A-Z])(?=[A-Z0-9]{0,22}[a-z])${ALNUM}{24}`,
    '(?![A-Za-z0-9_.(\\[-])',
  ),
  inner('Terraform token', `${ALNUM}{14}`, '.atlasv1.', '[A-Za-z0-9_=-]{60,80}'),
  rule('Doppler token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9._-]{40,80}'),
  rule('Linear key', 'lin_api_ lin_oauth_ lin_wh_', `${ALNUM}{32,64}`),
  rule('Notion token', 'ntn_ secret_', `${ALNUM}{43,50}`),
  rule('Grafana token', 'glsa_ glc_', '[A-Za-z0-9_+/=]{32,400}'),
  rule('New Relic key', 'NRAK-', '[A-Z0-9]{27}'),
  rule('New Relic key', 'NRII- NRIQ- NRRA- NRSP- NRAL-', `${WORD}{20,50}`),
  rule('Postman key', 'PMAK- PMAT-', `${ALNUM}{24,30}(?:-${HEX}{34})?`),
  rule('PlanetScale token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_.=-]{32,64}'),
  rule('RubyGems key', 'rubygems_', `${HEX}{48}`),
  rule('Supabase key', 'sbp_', `(?:v0_)?${HEX}{40}`),
  rule('Supabase key', 'sb_secret_', `${WORD}{22,60}`),
  rule('Perplexity key', 'pplx-', `${ALNUM}{40,60}`),
  rule('Groq key', 'gsk_', `${ALNUM}{40,60}`),
  rule('xAI key', 'xai-', `${ALNUM}{70,90}`),
  rule('Cerebras key', 'csk-', `${ALNUM}{40,60}`),
  rule('Fireworks key', 'fw_', `(?=[A-Za-z]{0,20}[0-9])${ALNUM}{22,40}`),
  rule('NVIDIA key', 'nvapi-', `${WORD}{40,90}`),
  rule('Together key', 'tgp_v1_', `${WORD}{30,60}`),
  rule('LangSmith key', 'lsv2_pt_ lsv2_sk_ ls__', `[0-9a-f_]{32,60}`),
  rule('LlamaCloud key', 'llx-', `${ALNUM}{40,60}`),
  rule('Tavily key', 'tvly-', `${WORD}{20,60}`),
  rule('Jina key', 'jina_', `${WORD}{40,80}`),
  rule('Pinecone key', 'pcsk_', `${WORD}{40,90}`),
  rule('Voyage key', 'pa-', `(?=[A-Za-z_-]{0,40}[0-9])${WORD}{40,50}`),
  rule('Firecrawl key', 'fc-', `${HEX}{32}`),
  rule('Replicate token', 'r8_', `${ALNUM}{37}`),
  rule('W&B key', 'wandb_v1_', `${WORD}{40,100}`),
  rule('Cursor key', 'crsr_', `${HEX}{40,80}`),
  rule('Fly token', 'fm1_ fm2_ fm1r_ fm1a_ fo1_', '[A-Za-z0-9+/_=,-]{40,2000}', '(?![A-Za-z0-9])'),
  rule('age key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  rule('Docker token', 'dckr_pat_ dckr_oat_', `${WORD}{27,40}`),
  rule(
    'Atlassian token',
    'ATATT3 ATCTT3 ATSTT3 ATTA ATBB',
    '(?=[A-Za-z_=-]{0,60}[0-9])(?=[A-Z0-9_=-]{0,60}[a-z])[A-Za-z0-9_=-]{24,300}',
  ),
  rule('Sentry token', 'sntrys_ sntryu_', '[A-Za-z0-9_+/=]{60,400}'),
  rule('Figma token', 'figd_ figu_ figr_ figo_ figoh_', `${WORD}{40,60}`),
  rule('1Password token', 'ops_eyJ', '[A-Za-z0-9+/=_-]{80,2000}'),
  rule('1Password key', 'A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'),
  rule('Tailscale key', 'tskey-', '[A-Za-z0-9-]{20,80}'),
  rule('Artifactory key', 'AKCp', `${ALNUM}{60,80}`),
  rule('Artifactory token', 'cmVmdGtu', `${ALNUM}{48,70}`),
  rule('Dynatrace token', 'dt0c01. dt0s01. dt0s02. dt0s16.', '[A-Z0-9]{8,24}\\.[A-Z0-9]{64}'),
  rule('Pulumi token', 'pul-', `${HEX}{40}`),
  rule('Heroku key', 'HRKU-', `(?:AA${WORD}{40,80}|${UUID}|${WORD}{30,80})`),
  rule('CircleCI token', 'CCIPAT_ CCIPRJ_', `${ALNUM}{16,40}_${HEX}{40}`),
  rule('CircleCI token', 'CCIPAT_ CCIPRJ_', '[A-Za-z0-9_]{20,100}'),
  rule('Buildkite token', 'bkua_ bkct_ bkaj_ bkpt_ bkr_', `${ALNUM}{38,60}`),
  rule('Netlify token', 'nfp_ nfc_ nfo_ nfu_', `${ALNUM}{36,60}`),
  rule('Vercel token', 'vcp_ vci_ vca_ vcr_ vck_', `${ALNUM}{24,80}`),
  rule('Vercel token', 'vercel_blob_rw_', `[A-Za-z0-9_]{30,80}`),
  rule('Cloudflare token', 'cfut_ cfat_ cfk_', `${WORD}{40,80}`),
  rule('Cloudflare key', 'v1.0-', `${HEX}{24}-${HEX}{146}`),
  rule('Mapbox token', 'sk.eyJ tk.eyJ', `${WORD}{40,200}\\.${WORD}{16,60}`),
  rule('Airtable token', 'pat', `${ALNUM}{14}\\.${HEX}{64}`),
  rule('Asana token', '1/ 2/ 0/', `[0-9]{13,20}(?:/[0-9]{13,20})?:${HEX}{32}`),
  rule('ClickUp token', 'pk_', '[0-9]{5,10}_[A-Z0-9]{32}'),
  rule('Contentful token', 'CFPAT-', `${WORD}{40,60}`),
  rule('Duffel token', 'duffel_live_ duffel_test_', `[A-Za-z0-9_=-]{40,60}`),
  rule('EasyPost key', 'EZAK EZTK', `${ALNUM}{54}`),
  rule('Flutterwave key', 'FLWSECK_TEST- FLWSECK- FLWSECK_LIVE-', `[A-Za-z0-9]{12,64}(?:-X)?`),
  rule('Frame.io token', 'fio-u-', `[A-Za-z0-9_=-]{40,80}`),
  rule('Infracost key', 'ico-', `${ALNUM}{32}`),
  rule('Intra42 secret', 's-s4t2ud- s-s4t2af-', `${HEX}{64}`),
  rule('payment key', 'live_ test_', `(?=[A-Za-z]{0,40}[0-9])(?:pub_)?${ALNUM}{30,60}`),
  rule('LaunchDarkly key', 'sdk- api- mob-', UUID),
  inner('MaxMind key', `${ALNUM}{6}_${ALNUM}{29}`, '_mmk', ''),
  rule('Mercury token', 'secret-token:', '[a-z]{2,20}_[A-Za-z0-9_-]{20,80}'),
  rule('MongoDB secret', 'mdb_sa_sk_', `${WORD}{30,60}`),
  rule('Teams webhook', 'webhook.office.com/webhookb2/', `[A-Za-z0-9@/-]{60,300}`),
  rule('Zapier webhook', 'hooks.zapier.com/hooks/catch/', '[0-9]{4,12}/[A-Za-z0-9]{5,20}'),
  rule('NuGet key', 'oy2', '[a-z0-9]{43}'),
  rule('Octopus key', 'API-', '(?=[A-Z]{0,30}[0-9])[A-Z0-9]{25,32}'),
  rule('OpenShift token', 'sha256~', `${WORD}{43}`),
  rule('PayPal token', 'access_token$production$ access_token$sandbox$', `${ALNUM}{16}\\$${HEX}{32}`),
  rule('Plaid token', 'access-production- access-sandbox- access-development-', UUID),
  rule('Polar token', 'polar_oat_ polar_pat_', `${WORD}{30,80}`),
  rule('PostHog key', 'phx_ phs_', `${ALNUM}{40,60}`),
  rule('Prefect key', 'pnu_ pnb_', `${ALNUM}{36}`),
  rule('ReadMe key', 'rdme_', `${ALNUM}{60,80}`),
  rule('Render key', 'rnd_', `(?=[A-Za-z]{0,28}[0-9])${ALNUM}{24,40}`),
  rule('Resend key', 're_', `(?=[A-Za-z_]{0,33}[0-9])${ALNUM}{8}_${ALNUM}{24}`),
  rule('Salesforce token', '00D', `${ALNUM}{12,15}![A-Za-z0-9._]{60,200}`),
  rule('Scalingo token', 'tk-us-', `${WORD}{40,60}`),
  rule('SettleMint token', 'sm_aat_ sm_pat_ sm_sat_', `${ALNUM}{16}`),
  rule('Shippo token', 'shippo_live_ shippo_test_', `${HEX}{40}`),
  rule('Snyk token', 'snyk_uat. snyk_sat.', `[A-Za-z0-9_.-]{30,200}`),
  rule('SonarQube token', 'sqp_ squ_ sqa_ sqb_', `${ALNUM}{40}`),
  rule('Sourcegraph token', 'sgp_ sgd_ slk_', `(?:local_|${HEX}{16}_)?${HEX}{40,64}`),
  rule('Square key', 'sandbox-sq0csb- sandbox-sq0atb-', `${WORD}{22,60}`),
  rule('Typeform token', 'tfp_', `[A-Za-z0-9_.=-]{40,60}`),
  rule('WakaTime key', 'waka_', UUID),
  rule('Axiom token', 'xaat- xapt-', UUID),
  rule('Honeycomb key', 'hcaik_ hcbik_ hcxik_ hcxlk_', `[a-z0-9_]{40,70}`),
  rule('Paddle key', 'pdl_live_apikey_ pdl_sdbx_apikey_', '[A-Za-z0-9_]{40,80}'),
  rule('Trigger.dev key', 'tr_dev_ tr_prod_ tr_pat_', `${ALNUM}{20,50}`),
  rule('Inngest key', 'signkey-prod- signkey-test-', `${HEX}{32,64}`),
  rule('Neon key', 'napi_', `${ALNUM}{50,70}`),
  rule('Deno token', 'ddp_ ddo_ ddw_', `${ALNUM}{36}`),
  rule('crates.io token', 'cio', `(?=[A-Za-z]{0,31}[0-9])${ALNUM}{32}`),
  rule('Clojars token', 'CLOJARS_', `${ALNUM}{60}`),
  rule('HubSpot token', 'pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-', UUID),
  rule('Adobe secret', 'p8e- p8s-', `${ALNUM}{32}`),
  rule('Alibaba key', 'LTAI', `(?=[A-Za-z]{0,19}[0-9])${ALNUM}{16,30}`),
  rule('Tencent key', 'AKID', `(?=[A-Za-z]{0,31}[0-9])${ALNUM}{28,40}`),
  rule('Volcengine key', 'AKLT', `${BASE64}{28,80}={0,2}`),
  rule('Yandex key', 'AQVN', `${WORD}{35,40}`),
  rule('Yandex token', 'y0_ y0__', `${WORD}{50,120}`),
  rule('Yandex token', 't1.', '[A-Z0-9a-z_-]{40,800}={0,2}\\.[A-Z0-9a-z_-]{80,100}={0,2}'),
  rule('Yandex key', 'YCAJE YCMJE YC', `(?=[A-Za-z]{0,36}[0-9])${WORD}{38}`),
  rule('Dropbox token', 'sl.', `${WORD}{100,1400}`),
  rule('Adafruit key', 'aio_', `${ALNUM}{28}`),
  rule('Beamer key', 'b_', '[a-z0-9=_-]{44}'),
  rule('Defined Networking key', 'dnkey-', `[a-z0-9=_-]{20,30}-[a-z0-9=_-]{50,60}`),
  rule('Harness token', 'pat. sat.', `${WORD}{22}\\.${HEX}{24}\\.${ALNUM}{20}`),
  rule('Kraken or Elastic key', 'essu_', `[A-Za-z0-9+/_=-]{40,200}`),
  rule('Intercom token', 'dG9rO', '[A-Za-z0-9+/]{40,100}={0,2}'),
  rule('ClickHouse key', '4b1d', `(?=[A-Z0-9]{0,38}[a-z])(?=[a-z0-9]{0,38}[A-Z])${ALNUM}{38}`),
  rule('Sanity token', 'sk', `(?=[A-Za-z]{0,60}[0-9])(?=[a-z0-9]{0,60}[A-Z])${ALNUM}{80,200}`),
  rule('Ubidots token', 'BBFF-', `${ALNUM}{30}`),
  rule('Stytch secret', 'secret-live- secret-test-', `[A-Za-z0-9_=-]{30,50}`),
  rule('Twitch or Nylas key', 'nyk_v0_', `${ALNUM}{50,70}`),
  rule('Statsig key', 'secret-', `(?=[A-Za-z]{0,40}[0-9])${ALNUM}{40,50}`),
  rule(
    'Unkey or Dub key',
    'unkey_ dub_ cal_live_ bb_live_ xau_ vtwn_ napi- hlx_',
    `(?=[A-Za-z_]{0,20}[0-9])${ALNUM}{20,60}`,
  ),
  rule('Azure DevOps token', 'JQQJ99', `${ALNUM}{40,90}`),
  inner('Azure DevOps token', `${ALNUM}{60,80}`, 'AZDO', `${ALNUM}{4,8}`),
  inner('Azure client secret', '[A-Za-z0-9_~.-]{3}[0-9]', 'Q~', '[A-Za-z0-9_~.-]{30,36}'),
  rule(
    'bot token',
    'MT MD MJ MY Mj Mz ND NT NJ NY Nj Nz OD OT OJ OY Oj Oz MTA',
    `${WORD}{20,27}\\.${WORD}{6,7}\\.${WORD}{27,40}`,
  ),
  inner('Telegram token', '[0-9]{8,10}', ':AA', `${WORD}{32,36}`),
  rule('Telegram token', 'bot', `[0-9]{8,10}:AA${WORD}{32,36}`),
  rule(
    'Discord webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    `[0-9]{17,20}/${WORD}{60,80}`,
  ),
  rule('Cloudinary address', 'cloudinary://', '[0-9]{10,20}:[A-Za-z0-9_-]{20,40}'),
  rule(
    'Azure key',
    'AccountKey= SharedAccessKey= SharedSecret= accesskey= AccessKey=',
    '([A-Za-z0-9+/]{40,88}={0,2})',
    '(?![A-Za-z0-9+/=])',
  ),
  rule('extended private key', 'xprv tprv yprv zprv', '[1-9A-HJ-NP-Za-km-z]{100,112}'),
  rule('password hash', '$2a$ $2b$ $2y$', '[0-9]{2}\\$[./A-Za-z0-9]{53}', '(?![./A-Za-z0-9])'),
  rule(
    'password hash',
    '$1$ $5$ $6$ $y$ $7$ $gy$ $apr1$ $md5$ $sha1$',
    '(?:[^\\s$:"\'`]{1,60}\\$){1,3}[./A-Za-z0-9]{22,100}',
    '(?![./A-Za-z0-9])',
  ),
  rule(
    'password hash',
    '$argon2id$ $argon2i$ $argon2d$ $scrypt$ $pbkdf2-sha256$ $pbkdf2-sha512$ $pbkdf2$ $bcrypt-sha256$',
    '(?:[^\\s$:"\'`]{1,100}\\$){1,4}[./A-Za-z0-9+=_-]{20,120}',
    '(?![./A-Za-z0-9+])',
  ),
  rule(
    'password hash',
    'pbkdf2_sha256$ pbkdf2_sha1$ bcrypt_sha256$ argon2$ scrypt$ SCRAM-SHA-256$',
    '(?:[^\\s$"\'`]{1,100}\\$){1,5}[./A-Za-z0-9+=:_-]{20,140}',
    '(?![./A-Za-z0-9+])',
  ),
  rule(
    'password hash',
    '{SSHA} {SHA} {SMD5} {SSHA256} {SSHA512} {SHA256} {SHA512} {CRYPT}',
    '[A-Za-z0-9+/$.]{20,140}={0,2}',
    '(?![A-Za-z0-9+/])',
  ),
]

/** Private keys, whatever they stand beside: each by the literal that begins it. */
export const KEY_LITERALS: [literal: string, find: FindAt][] = [
  ['-----BEGIN ', addPrivateKey],
  ['---- BEGIN SSH2', addPrivateKey],
  ['Private-Lines: ', addPrivateKey],
  ['LS0tLS1CRUdJTi', addEncodedKey],
]

/** Secrets that have a form of their own, as they are and in base64. */
export const TOKEN_LITERALS: [literal: string, find: FindAt][] = [
  ...TOKEN_RULES.flatMap(tokenLiterals),
  ...TOKEN_RULES.flatMap(encodedLiterals),
]

const BEGIN =
  /-----BEGIN (?:[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|Private-Lines: [0-9]{1,3}/y
/** What stands between the marks, line ends written as `\n` included. */
const BODY = /^[A-Za-z0-9+/=\s\\,:.()-]*/
/** Prose about keys has no such word. */
const KEY_LINE = /[A-Za-z0-9+/=]{32}/

/** PEM and PGP blocks, also one whose end was cut off. Each search ends at the next mark: no text is read twice. */
function addPrivateKey(text: string, at: number, spans: Span[]): void {
  BEGIN.lastIndex = at
  const mark = BEGIN.exec(text)?.[0]
  if (mark === undefined) return
  const start = at + mark.length
  const next = text.indexOf('----', start)
  const isClosed = next !== -1 && /^-{4,5} ?END/.test(text.slice(next, next + 10))
  const bodyEnd = isClosed ? next : runEnd(text, start, next === -1 ? text.length : next)
  if (!KEY_LINE.test(text.slice(start, bodyEnd))) return
  const closing = isClosed ? text.slice(next + 6, next + 80).indexOf('----') : -1
  const dashes = closing === -1 ? 0 : (/^-{4,5}/.exec(text.slice(next + 6 + closing))?.[0].length ?? 0)
  const end = closing === -1 ? bodyEnd : next + 6 + closing + dashes
  spans.push(secretSpan('private key', at, end - at))
}

function runEnd(text: string, start: number, limit: number): number {
  const run = BODY.exec(text.slice(start, limit))?.[0] ?? ''
  return start + run.trimEnd().length
}

function tokenLiterals(rule: TokenRule): [string, FindAt][] {
  const form = new RegExp(rule.shape, 'y')
  return rule.anchors.map((anchor) => [
    anchor,
    (text, at, spans) => addTokenAt(text, { ...rule, shape: form }, anchor, at, spans),
  ])
}

function addTokenAt(text: string, rule: TokenRule, anchor: string, at: number, spans: Span[]): void {
  const { name, shape: form, behind } = rule
  const before = behind === undefined ? '' : (behind.exec(text.slice(Math.max(0, at - 100), at))?.[0] ?? null)
  if (before === null || (behind === undefined && !beginsWord(text, at))) return
  form.lastIndex = at
  let found = form.exec(text)
  let end = form.lastIndex
  const wrapped = unwrapped(text, at, found === null ? at : end)
  if (wrapped !== null) {
    form.lastIndex = 0
    const whole = form.exec(wrapped.text)
    if (whole !== null && whole[0].length > (found?.[0].length ?? 0)) {
      found = whole
      end = wrapped.placeOf(form.lastIndex)
    }
  }
  if (found === null || isPlaceholder(before + found[0].slice(anchor.length))) return
  // a shape with a group keeps what stands around the secret
  const start = found[1] === undefined ? at - before.length : at + found[0].lastIndexOf(found[1])
  spans.push({ ...secretSpan(name, start, 0), end })
}

/** Not in the middle of a word; `\n` written as two characters is no word. */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true
  return /(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4})$/.test(text.slice(Math.max(0, at - 6), at))
}

/** How an anchor begins in base64, at each of the three places of a group at which it may begin. */
function encodedLiterals({ anchors, shape, behind }: TokenRule): [string, FindAt][] {
  if (behind !== undefined) return []
  const form = new RegExp(shape, 'y')
  return anchors.flatMap((anchor) =>
    [0, 1, 2].flatMap((phase): [string, FindAt][] => {
      const literal = base64Core(anchor, phase)
      if (anchor.length < 4 || literal.length < 4) return []
      return [[literal, (text, at, spans) => addEncodedAt(text, at, phase, form, spans)]]
    }),
  )
}

/** What base64 says of these letters behind so many others, without what others decide. */
function base64Core(letters: string, phase: number): string {
  const whole = btoa('\0'.repeat(phase) + letters)
  return whole.slice(Math.ceil((phase * 8) / 6), Math.floor(((phase + letters.length) * 8) / 6))
}

function addEncodedKey(text: string, at: number, spans: Span[]): void {
  const end = runOfBase64(text, at)
  if (/PRIVATE KEY/.test(decodeBase64(text.slice(at, Math.min(end, at + 120)))))
    spans.push(secretSpan('private key', at, end - at))
}

/** A token in base64: the run that it is in. */
function addEncodedAt(text: string, at: number, phase: number, form: RegExp, spans: Span[]): void {
  const group = at - Math.ceil((phase * 8) / 6)
  if (group < 0) return
  const head = /^[A-Za-z0-9+/_-]{24,400}/.exec(text.slice(group, group + 400))?.[0]
  if (head === undefined) return
  const plain = decodeBase64(head.slice(0, head.length - (head.length % 4 === 1 ? 1 : 0)))
  form.lastIndex = phase
  if (form.exec(plain) === null) return
  let start = group
  while (start > 0 && group - start < 2000 && /[A-Za-z0-9+/_-]/.test(text.charAt(start - 1))) start--
  spans.push(secretSpan('secret in base64', start, runOfBase64(text, group) - start))
}

function runOfBase64(text: string, at: number): number {
  const run = /[A-Za-z0-9+/_-]{0,8000}={0,2}/y
  run.lastIndex = at
  run.test(text)
  return run.lastIndex
}
