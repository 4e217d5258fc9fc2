/** A secret that can be told by its form. */
export interface TokenRule {
  name: string
  /** One of these begins it; looked for first, since a literal is found fast. */
  anchors: readonly string[]
  /** From the anchor on. Every repetition is bounded, and none can be divided in two ways: linear on any input. */
  shape: RegExp
}

const END = '(?![A-Za-z0-9_-])'
const ALNUM = '[A-Za-z0-9]'
const WORD = '[A-Za-z0-9_-]'
const HEX = '[0-9a-f]'

function rule(name: string, anchors: string, rest: string, end = END): TokenRule {
  const list = anchors.split(' ')
  const start = list.map((anchor) => anchor.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return { name, anchors: list, shape: new RegExp(`(?:${start})${rest}${end}`) }
}

/** The kinds of gitleaks that concern what people let an agent touch, each by the form that its maker documents. */
export const TOKEN_RULES: readonly TokenRule[] = [
  rule('Google API key', 'AIza', `${WORD}{35}`),
  rule('Google access token', 'ya29.', `${WORD}{20,2000}`),
  rule('Google client secret', 'GOCSPX-', `${WORD}{28}`),
  rule('Google refresh token', '1//0', `${WORD}{40,200}`),
  rule('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', `${ALNUM}{36,255}`),
  rule('GitHub token', 'github_pat_', '[A-Za-z0-9_]{60,255}'),
  rule('GitLab token', 'glpat- gldt- glrt- glcbt- glsoat- glptt- glft- glimt- glagent-', `${WORD}{20,100}`),
  rule('AWS access key', 'AKIA ASIA ABIA ACCA', '[A-Z2-7]{16}'),
  rule('AWS Bedrock key', 'ABSK', '[A-Za-z0-9+/]{100,269}={0,2}'),
  rule('Slack token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp-', '[A-Za-z0-9-]{20,250}'),
  rule('Slack webhook', 'hooks.slack.com/services/ hooks.slack.com/workflows/', '[A-Za-z0-9/]{20,90}'),
  rule('Stripe key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_', `${ALNUM}{16,250}`),
  rule('npm token', 'npm_', `${ALNUM}{36}`),
  rule('Anthropic key', 'sk-ant-', `${WORD}{40,200}`),
  rule('OpenRouter key', 'sk-or-v1-', `${HEX}{64}`),
  rule('OpenAI key', 'sk-proj- sk-svcacct- sk-admin-', `${WORD}{40,250}`),
  rule('OpenAI key', 'sk-', `${ALNUM}{32,64}`),
  rule('JSON web token', 'eyJ', `${WORD}{8,4000}\\.eyJ${WORD}{4,8000}\\.${WORD}{16,2000}`),
  rule('Hugging Face token', 'hf_ api_org_', '[A-Za-z]{34}'),
  rule('SendGrid key', 'SG.', `${WORD}{22}\\.${WORD}{43}`),
  rule('Twilio key', 'SK', `${HEX}{32}`),
  rule('Mailgun key', 'key-', `${HEX}{32}`),
  rule('Mailchimp key', 'md-', `${WORD}{22}`),
  rule('PyPI token', 'pypi-AgE', `${WORD}{50,1000}`),
  rule('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_', `${HEX}{64}`),
  rule('Shopify token', 'shpat_ shpca_ shppa_ shpss_', '[0-9a-fA-F]{32}'),
  rule('Square token', 'sq0atp- sq0csp- EAAA', `${WORD}{22,60}`),
  rule('Databricks token', 'dapi', `${HEX}{32}(?:-[0-9])?`),
  rule('Vault token', 'hvs. hvb. hvr.', `${WORD}{24,300}`),
  rule('Doppler token', 'dp.pt. dp.st. dp.ct. dp.sa.', '[A-Za-z0-9.]{40,80}'),
  rule('Linear key', 'lin_api_ lin_oauth_', `${ALNUM}{32,64}`),
  rule('Notion token', 'ntn_ secret_', `${ALNUM}{43,50}`),
  rule('Grafana token', 'glsa_ glc_', '[A-Za-z0-9_+/=]{32,400}'),
  rule('New Relic key', 'NRAK-', '[A-Z0-9]{27}'),
  rule('Postman key', 'PMAK-', `${HEX}{24}-${HEX}{34}`),
  rule('PlanetScale token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_.=-]{32,64}'),
  rule('RubyGems key', 'rubygems_', `${HEX}{48}`),
  rule('Supabase key', 'sbp_', `${HEX}{40}`),
  rule('Supabase key', 'sb_secret_', `${WORD}{22,60}`),
  rule('Perplexity key', 'pplx-', `${ALNUM}{48}`),
  rule('Groq key', 'gsk_', `${ALNUM}{52}`),
  rule('xAI key', 'xai-', `${ALNUM}{70,90}`),
  rule('Replicate token', 'r8_', `${ALNUM}{37}`),
  rule('Fly token', 'fm1_ fm2_ fo1_', '[A-Za-z0-9+/_=-]{40,2000}', '(?![A-Za-z0-9])'),
  rule('age key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  rule('Docker token', 'dckr_pat_ dckr_oat_', `${WORD}{27,40}`),
  rule('Atlassian token', 'ATATT3', '[A-Za-z0-9_=-]{60,300}'),
  rule('Sentry token', 'sntrys_ sntryu_', '[A-Za-z0-9_+/=]{60,400}'),
  rule('Figma token', 'figd_', `${WORD}{40}`),
  rule('1Password token', 'ops_eyJ', '[A-Za-z0-9+/=_-]{80,2000}'),
  rule('Tailscale key', 'tskey-', '[A-Za-z0-9-]{20,80}'),
  rule('Artifactory key', 'AKCp', `${ALNUM}{60,80}`),
  rule('Dynatrace token', 'dt0c01.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  rule('Pulumi token', 'pul-', `${HEX}{40}`),
  rule(
    'Discord webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    `[0-9]{17,20}/${WORD}{60,80}`,
  ),
  rule('Cloudinary address', 'cloudinary://', '[0-9]{10,20}:[A-Za-z0-9_-]{20,40}'),
  rule('Telegram token', 'bot', `[0-9]{8,10}:AA${WORD}{33}`),
  rule('Azure key', 'AccountKey= SharedAccessKey=', '([A-Za-z0-9+/]{40,88}={0,2})', '(?![A-Za-z0-9+/=])'),
  rule('password in an address', '://', '[^\\s:@/"\'`<>]{0,100}:([^\\s:@/"\'`<>{}$]{3,200})@', ''),
]
