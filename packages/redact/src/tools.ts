/** How a short flag takes a password: `-pX`, `-p X`; `isOfLogin`: only with `login`. */
export interface ShortFlag {
  isJoined: boolean
  isSpaced: boolean
  isOfLogin: boolean
  tools: ReadonlySet<string>
}

/** Short flags that take a secret, by tool: for other tools `-p` is a port or a path. */
const SHORT = `
p joined: mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlsh mysqlbinlog mysqlpump mysql_upgrade mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import mariadb-show mariabackup xtrabackup innobackupex mytop innotop pt-query-digest pt-table-checksum 7z 7za 7zr 7zz rar unrar p7zip sqsh
p joined spaced: sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles cqlsh twine rdesktop psexec psexec64 rabbitmqadmin crackmapexec cme nxc netexec evil-winrm ncftp ncftpput ncftpget smbmap mydumper myloader mycli couchbase-cli cbq conan tsm arangosh arangodump cypher-shell hydra taosql taos gsql iredis nats kafkacat dbaccess ysqlsh impala-shell beeline tabcmd mutagen xfreerdp vncpasswd firebird isql-fb tns sftpgo steamcmd qpdf pdftk mosquitto_passwd ansible-pull winrs usermod useradd certutil
p spaced login: docker podman nerdctl buildah skopeo helm oc kubectl crane oras regctl az heroku argocd rancher cf ibmcloud bx ecs-cli singularity apptainer snyk npm vault faas-cli balena harbor quay
a joined spaced: redis-cli redis-benchmark iredis keydb-cli valkey-cli valkey-benchmark redis-dump
P joined spaced: sqlcmd bcp osql isql tsql sqlpackage mssql-cli zip unzip zipcloak mosquitto_pub mosquitto_sub mosquitto_rr ipmitool ipmipower fcrackzip ssh-keygen kdb5_util
w joined spaced: ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn ldapexop vsql dsconf security
s spaced: ldappasswd mpw
k spaced: openssl nuget dotnet gem openai
K spaced: openssl
t spaced: glab doctl influx vercel fly flyctl ngrok tea sentry-cli snyk railway netlify surge hcloud linode-cli civo pinata
A spaced: snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmpbulkget snmptable
X spaced: snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmpbulkget snmptable
c spaced: snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmpbulkget snmptable onesixtyone
b spaced: curl
y spaced: htpasswd
hp joined: rar unrar
pw spaced: plink pscp psftp putty pageant kitty nzsql winscp pw
xp spaced: sendemail sendEmail
ap spaced: swaks
N spaced: ssh-keygen
`
export const SHORT_FLAGS: ReadonlyMap<string, readonly ShortFlag[]> = parse(SHORT)

/** Tools whose `-u` takes `user:password`. */
const OF_COLON =
  'curl http https httpie xh wget jf jfrog artifactory etcdctl influx couchbase-cli siege ab aria2c yt-dlp svn git nexus hurl k6 restic kcat elasticdump es curlie'
const OF_PERCENT = 'smbclient rpcclient smbget smbmap wmic winexe net smbcacls pth-winexe mount.cifs'
/** The separator of user and password after `-u` or `-U`. */
export const LOGIN_SIGNS: ReadonlyMap<string, string> = new Map([
  ...OF_COLON.split(' ').map((tool) => [tool, ':'] as const),
  ...OF_PERCENT.split(' ').map((tool) => [tool, '%'] as const),
  ['lftp', ','],
])

/** Programs that mark a line as a command, so that a plain word after `--password` is a secret. */
const OTHERS =
  'gpg gpg2 psql createuser createdb keytool jarsigner aws gcloud consul nomad terraform tofu yarn pnpm poetry pip pip3 gh ansible ansible-playbook ansible-vault borg rclone duplicity s3cmd mc sqoop flyway liquibase java mvn gradle clickhouse clickhouse-client cockroach snowsql databricks firebase wrangler codecov sonar-scanner nmcli smbpasswd openconnect openvpn kinit node python python3 ruby hg mount cmdkey certutil sc schtasks wp drush'
export const SECRET_TOOLS: ReadonlySet<string> = new Set([
  ...[...SHORT_FLAGS.values()].flatMap((flags) => flags.flatMap(({ tools }) => [...tools])),
  ...LOGIN_SIGNS.keys(),
  ...OTHERS.split(' '),
])

function parse(table: string): Map<string, ShortFlag[]> {
  const flags = new Map<string, ShortFlag[]>()
  for (const line of table.trim().split('\n')) {
    const [head = '', tools = ''] = line.split(': ')
    const [flag = '', ...ways] = head.split(' ')
    const way = {
      isJoined: ways.includes('joined'),
      isSpaced: ways.includes('spaced'),
      isOfLogin: ways.includes('login'),
      tools: new Set(tools.split(' ')),
    }
    flags.set(flag, [...(flags.get(flag) ?? []), way])
  }
  return flags
}
