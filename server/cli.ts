import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createApp } from './app.ts'
import { openBoxDatabase } from './platform/box-database.ts'
import { readConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { readSecret } from './platform/secrets.ts'

const HELP = `cairn: the operator's commands. They read the same CAIRN_* settings as the service and work beside a running one.

  cairn migrate                            bring the database up to date
  cairn user token --name NAME [--role ROLE] [--json]
                                           make the local user NAME if it is new and print a session token
                                           for it; --role (admin, ops; may repeat) replaces its roles

Exit codes: 0 done, 1 failed, 2 the command was not understood.`

/** Wrong words on the command line: exit code 2. */
class UsageError extends Error {}

async function run(args: string[]): Promise<void> {
  const [area, action, ...rest] = args
  if (!area || area === 'help' || args.includes('--help')) return console.log(HELP)
  if (area === 'migrate') return withDatabase(async () => console.log('The database is up to date'))
  if (area === 'user' && action === 'token') return userToken(rest)
  throw new UsageError(`There is no command "${args.slice(0, 2).join(' ')}"`)
}

/** A session token for a local user: how an operator gets in without an identity provider. Needs the service's secret, so only who may read the data folder (or CAIRN_SECRET) can do it. */
async function userToken(args: string[]) {
  const { name, role, json } = tokenOptions(args)
  await withDatabase(async ({ app }) => {
    const user = await app.localUser(name, role.length > 0 ? role : undefined)
    const { token, expiryTime } = await app.identity.openFor(user)
    console.log(json ? JSON.stringify({ userId: user.id, sessionToken: token, expiryTime }) : token)
  })
}

function tokenOptions(args: string[]) {
  const { name, role, json } = parse(args)
  if (!name) throw new UsageError('Say whose token: --name NAME')
  const unknown = role.find((one) => !['admin', 'ops'].includes(one))
  if (unknown) throw new UsageError(`There is no role "${unknown}": admin or ops`)
  return { name, role, json }
}

function parse(args: string[]): { name?: string; role: string[]; json: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: { name: { type: 'string' }, role: { type: 'string', multiple: true }, json: { type: 'boolean' } },
    })
    return { role: [], json: false, ...values }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function withDatabase(work: (parts: { app: Awaited<ReturnType<typeof createApp>> }) => Promise<void>) {
  const config = readConfig(process.env)
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const box = config.CAIRN_DATABASE_URL ? undefined : await openBoxDatabase({ dataDir: config.CAIRN_DATA_DIR })
  try {
    const databaseUrl = config.CAIRN_DATABASE_URL ?? box!.url
    await migrate(databaseUrl, fileURLToPath(new URL('./migrations', import.meta.url)))
    const app = await createApp({ config, databaseUrl, secret, log: createLog('silent') })
    await work({ app }).finally(app.close)
  } finally {
    if (box?.startedHere) await box.stop()
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  if (error instanceof UsageError) console.error(`\n${HELP}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
