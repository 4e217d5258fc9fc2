/** A secret recognizable by its form. */
export interface TokenRule {
  name: string
  /** It contains one of these literals, which are fast to search for. */
  anchors: readonly string[]
  /** From the anchor on. Every repetition is bounded and unambiguous, so matching is linear on any input. */
  shape: RegExp
  /** The part of the secret before the anchor, if the anchor is in its middle. */
  behind: RegExp | null
}

/** Prefixes that only the keys and tokens of one service have, followed by 20 or more letters, digits and signs, including a digit. */
const BY_BEGINNING = `
Google access token: ya29. | Google refresh token: 1//0 | Google authorization code: 4/0A | Firebase token: AMf-vB
GitHub token: ghp_ gho_ ghu_ ghs_ ghr_ github_pat_
GitLab token: glpat- gldt- glrt- glrtr- glcbt- glsoat- glptt- glft- glimt- glagent- gloas- glffct- glwt- GR1348941
Slack token: xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp- xwfp-
Anthropic key: sk-ant- | OpenRouter key: sk-or-v1- | OpenAI key: sk-proj- sk-svcacct- sk-admin- sk-None- sess-
API key: sk-helicone- sk-litellm- sk-lf- unkey_ dub_ cal_live_ bb_live_ xau_ vtwn_ hlx_ hcaik_ hcbik_ hcxik_ hcxlk_
Brevo key: xkeysib- xsmtpsib- | PyPI token: pypi-AgE | DigitalOcean token: dop_v1_ doo_v1_ dor_v1_ dos_v1_
Square token: sq0atp- sq0csp- sq0idp- sandbox-sq0csb- sandbox-sq0atb- | Vault token: hvs. hvb. hvr.
Doppler token: dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. | Linear key: lin_api_ lin_oauth_ lin_wh_ | Notion token: ntn_
Grafana token: glsa_ glc_ | New Relic key: NRAK- NRII- NRIQ- NRRA- NRSP- NRAL- | Postman key: PMAK- PMAT-
PlanetScale token: pscale_tkn_ pscale_pw_ pscale_oauth_ | RubyGems key: rubygems_ | Supabase key: sbp_ sb_secret_
Perplexity key: pplx- | Groq key: gsk_ | xAI key: xai- | Cerebras key: csk- | NVIDIA key: nvapi- | Together key: tgp_v1_
LangSmith key: lsv2_pt_ lsv2_sk_ ls__ | LlamaCloud key: llx- | Tavily key: tvly- | Jina key: jina_ | Pinecone key: pcsk_
Weights & Biases key: wandb_v1_ | Cursor key: crsr_ | Fly token: fm1_ fm2_ fm1r_ fm1a_ fo1_ | Docker token: dckr_pat_ dckr_oat_
Sentry token: sntrys_ sntryu_ | Figma token: figd_ figu_ figr_ figo_ figoh_ | 1Password token: ops_eyJ | Tailscale key: tskey-
Pulumi token: pul- | Heroku key: HRKU- | CircleCI token: CCIPAT_ CCIPRJ_ | Buildkite token: bkua_ bkct_ bkaj_ bkpt_ bkr_
Netlify token: nfp_ nfc_ nfo_ nfu_ | Vercel token: vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_ | Cloudflare token: cfut_ cfat_ cfk_
Contentful token: CFPAT- | Duffel token: duffel_live_ duffel_test_ | Frame.io token: fio-u- | MongoDB secret: mdb_sa_sk_
OpenShift token: sha256~ | Polar token: polar_oat_ polar_pat_ | PostHog key: phx_ phs_ | Prefect key: pnu_ pnb_ | ReadMe key: rdme_
Render key: rnd_ | Shippo token: shippo_live_ shippo_test_ | Snyk token: snyk_uat. snyk_sat. | SonarQube token: sqp_ squ_ sqa_ sqb_
Sourcegraph token: sgp_ sgd_ | Typeform token: tfp_ | WakaTime key: waka_ | Axiom token: xaat- xapt- | Neon key: napi_
Paddle key: pdl_live_apikey_ pdl_sdbx_apikey_ | Trigger.dev key: tr_dev_ tr_prod_ tr_pat_ | Deno token: ddp_ ddo_ ddw_
Inngest key: signkey-prod- signkey-test- | HubSpot token: pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1- | Adobe secret: p8e- p8s-
Yandex token: y0_ AQVN | Adafruit key: aio_ | Defined Networking key: dnkey- | Elastic key: essu_ | Ubidots token: BBFF-
Stytch secret: secret-live- secret-test- | Nylas key: nyk_v0_ | Volcengine key: AKLT | Mercury token: secret-token:
Plaid token: access-production- access-sandbox- access-development- | Facebook token: EAACEdEose0cBA | Instagram token: IGQV IGAA
Apify token: apify_api_ | RunPod key: rpa_ | E2B key: e2b_ | Ory token: ory_at_ ory_rt_ ory_st_ | MailerSend token: mlsn. | Amazon token: Atza| Atzr|
Clojars token: CLOJARS_ | Scalingo token: tk-us- | Azure DevOps token: JQQJ99
`

/** Keys with a specific form: name, anchor, the rest and, if the anchor is in the middle, what precedes it. */
const BY_SHAPE = String.raw`
Google API key · AIza · W{35}
Google API key · AQ.Ab · W{30,120}
Google client secret · GOCSPX- · W{20,40}
Firebase key · :APA91b · W{100,200} · AAAAW{7}
AWS access key · AKIA ASIA ABIA ACCA · [A-Z2-7]{16}
NTLM hash · aad3b435b51404eeaad3b435b51404ee: · [0-9a-f]{32}
AWS Bedrock key · ABSK · [A-Za-z0-9+/]{100,269}={0,2}
AWS session token · IQoJb3JpZ2luX2 · [A-Za-z0-9+/]{100,2000}={0,2}
Slack webhook · hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/ · [A-Za-z0-9/]{20,90}
Stripe key · sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ sk_org_live_ sk_org_test_ ek_live_ ek_test_ whsec_ · [A-Za-z0-9+/_]{16,250}={0,2}
npm token · npm_ · A{36}
OpenAI key · sk- · A{32,64}
ElevenLabs key · sk_ · X{48}
JSON web token · eyJ · W{8,4000}\.eyJW{4,8000}\.W{16,2000}
JSON web token · eyJ · W{16,2000}\.W{0,800}\.W{12,100}\.W{12,8000}\.W{16,100}
Hugging Face token · hf_ api_org_ · (?=[A-Za-z0-9]{0,33}[A-Z])A{34,40}
SendGrid key · SG. · W{16,32}\.W{16,64}
Twilio key · SK · X{32}
API key · key- key_ · X{32,64}
Mailchimp key · md- · W{22}
Mailchimp key · -us · [0-9]{1,2} · X{32}
Shopify token · shpat_ shpca_ shppa_ shpss_ shptka_ · [0-9a-fA-F]{32}
Facebook token · EAAC EAAG EAAM EAAB EAAD EAAE EAAF EAAH EAAJ EAAP EAAU EAAA · (?=[A-Za-z_-]{0,59}[0-9])W{40,400}
X token · AAAAAAAAAAAAAAAAAAAAA · [A-Za-z0-9%]{40,200}
Databricks token · dapi · X{32}(?:-[0-9])?
Vault token · s. b. · (?=[A-Za-z]{0,22}[0-9])(?=[a-z0-9]{0,22}[A-Z])(?=[A-Z0-9]{0,22}[a-z])A{24}(?![.(\[])
Terraform token · .atlasv1. · [A-Za-z0-9_=-]{60,80} · A{14}
Notion token · secret_ · A{43,50}
Fireworks key · fw_ · (?=[A-Za-z]{0,20}[0-9])A{22,40}
Voyage key · pa- · (?=[A-Za-z_-]{0,40}[0-9])W{40,50}
Firecrawl key · fc- · X{32}
Replicate token · r8_ · A{37}
age key · AGE-SECRET-KEY-1 · [A-Z0-9]{58}
Atlassian token · ATATT3 ATCTT3 ATSTT3 ATTA ATBB · (?=[A-Za-z_=-]{0,60}[0-9])(?=[A-Z0-9_=-]{0,60}[a-z])[A-Za-z0-9_=-]{24,300}
1Password key · A3- · [A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}
Artifactory key · AKCp · A{60,80}
Artifactory token · cmVmdGtu · A{48,70}
Dynatrace token · dt0c01. dt0s01. dt0s02. dt0s16. · [A-Z0-9]{8,24}\.[A-Z0-9]{64}
Cloudflare key · v1.0- · X{24}-X{146}
Mapbox token · sk.eyJ tk.eyJ · W{40,200}\.W{16,60}
Airtable token · pat · A{14}\.X{64}
Asana token · 1/ 2/ 0/ · [0-9]{13,20}(?:/[0-9]{13,20})?:X{32}
ClickUp token · pk_ · [0-9]{5,10}_[A-Z0-9]{32}
EasyPost key · EZAK EZTK · A{54}
Flutterwave key · FLWSECK_TEST- FLWSECK- FLWSECK_LIVE- · A{12,64}(?:-X)?
Infracost key · ico- · A{32}
Intra42 secret · s-s4t2ud- s-s4t2af- · X{64}
payment key · live_ test_ · (?=[A-Za-z]{0,40}[0-9])(?:pub_)?A{30,60}
LaunchDarkly key · sdk- api- mob- · UUID
MaxMind key · _mmk ·  · A{6}_A{29}
Teams webhook · webhook.office.com/webhookb2/ · [A-Za-z0-9@/-]{60,300}
Zapier webhook · hooks.zapier.com/hooks/catch/ · [0-9]{4,12}/A{5,20}
NuGet key · oy2 · [a-z0-9]{43}
Octopus key · API- · (?=[A-Z]{0,30}[0-9])[A-Z0-9]{25,32}
PayPal token · access_token$production$ access_token$sandbox$ · A{16}\$X{32}
Resend key · re_ · (?=[A-Za-z_]{0,33}[0-9])A{8}_A{24}
Salesforce token · 00D · A{12,15}![A-Za-z0-9._]{60,200}
SettleMint token · sm_aat_ sm_pat_ sm_sat_ · A{16}
Sourcegraph token · slk_ · X{64}
crates.io token · cio · (?=[A-Za-z]{0,31}[0-9])A{32}
Alibaba key · LTAI · (?=[A-Za-z]{0,19}[0-9])A{16,30}
Tencent key · AKID · (?=[A-Za-z]{0,31}[0-9])A{28,40}
Yandex token · t1. · [A-Z0-9a-z_-]{40,800}={0,2}\.[A-Z0-9a-z_-]{80,100}={0,2}
Yandex key · YCAJE YCMJE YC · (?=[A-Za-z]{0,36}[0-9])W{35,38}
Dropbox token · sl. · W{100,1400}
Harness token · pat. sat. · W{22}\.X{24}\.A{20}
Intercom token · dG9rO · [A-Za-z0-9+/]{40,100}={0,2}
ClickHouse key · 4b1d · (?=[A-Z0-9]{0,38}[a-z])(?=[a-z0-9]{0,38}[A-Z])A{38}
Sanity token · sk · (?=[A-Za-z]{0,60}[0-9])(?=[a-z0-9]{0,60}[A-Z])A{80,200}
Statsig key · secret- · (?=[A-Za-z]{0,40}[0-9])A{40,50}
Azure DevOps token · AZDO · A{4,8} · A{60,80}
Azure client secret · Q~ · [A-Za-z0-9_~.-]{30,36} · [A-Za-z0-9_~.-]{3}[0-9]
Discord token · MT MD MJ MY Mj Mz ND NT NJ NY Nj Nz OD OT OJ OY Oj Oz · W{20,27}\.W{6,7}\.W{27,40}
Telegram token · :AA · W{32,36} · (?:bot)?[0-9]{8,10}
Discord webhook · discord.com/api/webhooks/ discordapp.com/api/webhooks/ · [0-9]{17,20}/W{60,80}
Twitch token · oauth: · [a-z0-9]{30}
Docker swarm token · SWMTKN-1- · [0-9a-z]{40,60}-[0-9a-z]{20,30}
k3s token · K10 · X{64}::[A-Za-z0-9_.:]{16,120}
Amazon secret · amzn1.oa2-cs.v1. · X{64}
Amazon token · amzn.mws. · UUID
Feishu webhook · open.feishu.cn/open-apis/bot/v2/hook/ open.larksuite.com/open-apis/bot/v2/hook/ · UUID
Cloudflare tunnel token · eyJhIjoi · [A-Za-z0-9+/_-]{60,400}={0,2}
Grafana key · eyJrIjoi · [A-Za-z0-9+/_-]{40,400}={0,2}
Bitcoin key · 5H 5J 5K · (?=[A-Za-z]{0,30}[0-9])[1-9A-HJ-NP-Za-km-z]{49}
key in base64 · IBADANBgkqhkiG9w0BAQEFAASC · [A-Za-z0-9+/\r\n]{60,8000}={0,2} · MII[A-Za-z0-9]{3}
key in base64 · MIIEowIBAAKCAQEA MIIEpAIBAAKCAQEA MIIEpQIBAAKCAQEA MIIJKQIBAAKCAgEA MIIJKAIBAAKCAgEA MIIJJwIBAAKCAgEA MHcCAQEEI MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg MC4CAQAwBQYDK2VwBCIEI b3BlbnNzaC1rZXktdjEA · [A-Za-z0-9+/\r\n]{40,8000}={0,2}
Cloudinary address · cloudinary:// · [0-9]{10,20}:W{20,40}
Azure key · AccountKey= SharedAccessKey= SharedSecret= accesskey= AccessKey= · ([A-Za-z0-9+/]{40,88}={0,2})(?![+/=])
extended private key · xprv tprv yprv zprv · [1-9A-HJ-NP-Za-km-z]{100,112}
password hash · $2a$ $2b$ $2y$ · [0-9]{2}\$[./A-Za-z0-9]{53}
password hash · $1$ $5$ $6$ $y$ $7$ $gy$ $apr1$ $md5$ $sha1$ · (?:[^\s$:"'\x60]{1,60}\$){1,3}[./A-Za-z0-9]{22,100}
password hash · $argon2id$ $argon2i$ $argon2d$ $scrypt$ $pbkdf2-sha256$ $pbkdf2-sha512$ $pbkdf2$ $bcrypt-sha256$ · (?:[^\s$:"'\x60]{1,100}\$){1,4}[./A-Za-z0-9+=_-]{20,120}
password hash · pbkdf2_sha256$ pbkdf2_sha1$ bcrypt_sha256$ argon2$ scrypt$ SCRAM-SHA-256$ · (?:[^\s$"'\x60]{1,100}\$){1,5}[./A-Za-z0-9+=:_-]{20,140}
password hash · {SSHA} {SHA} {SMD5} {SSHA256} {SSHA512} {SHA256} {SHA512} {CRYPT} · [A-Za-z0-9+/$.]{20,140}={0,2}
`
const MACROS: readonly [RegExp, string][] = [
  [/UUID/g, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  [/W(?=\{)/g, '[A-Za-z0-9_-]'],
  [/A(?=\{)/g, '[A-Za-z0-9]'],
  [/X(?=\{)/g, '[0-9a-f]'],
]
const END = '(?![A-Za-z0-9_-])'
const RANDOM = '(?=[A-Za-z_.=+/%-]{0,60}[0-9])(?:[A-Za-z0-9_=+/%-]|\\.(?=[A-Za-z0-9_-])){20,2000}'

/** Each by the form its vendor documents. */
export const TOKEN_RULES: readonly TokenRule[] = [
  ...BY_BEGINNING.trim()
    .split(/ \| |\n/)
    .map((entry) => {
      const [name = '', anchors = ''] = entry.split(': ')
      return rule(name, anchors, RANDOM, '')
    }),
  ...BY_SHAPE.trim()
    .split('\n')
    .map((line) => {
      const [name = '', anchors = '', shape = '', behind = ''] = line.split(' · ')
      return rule(name, anchors, shape, behind)
    }),
]

function rule(name: string, anchors: string, shape: string, behind: string): TokenRule {
  const list = anchors.split(' ')
  const start = list.map((anchor) => anchor.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return {
    name,
    anchors: list,
    shape: new RegExp(`(?:${start})${spelledOut(shape)}${END}`, 'y'),
    behind: behind === '' ? null : new RegExp(`(?<![A-Za-z0-9])${spelledOut(behind)}$`),
  }
}

/** In shapes, `W` is a letter, digit, `_` or `-`; `A` a letter or digit; `X` a hexadecimal digit. */
function spelledOut(shape: string): string {
  return MACROS.reduce((text, [macro, meant]) => text.replace(macro, meant), shape)
}
