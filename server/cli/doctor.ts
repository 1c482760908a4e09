import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../platform/config.ts'
import { existingSecret } from '../platform/credentials/secrets.ts'
import { asCalled } from './as-called.ts'
import { counted, type Group, JSON_OUTPUT } from './command.ts'
import { assertNoArguments, readOptions, withDatabase } from './context.ts'
import { backups } from './doctor/backups.ts'
import { database } from './doctor/database.ts'
import { type Finding, fail, ok } from './doctor/finding.ts'
import { gridFolder, neededGrids } from './doctor/grids.ts'
import { databaseDisk, dataFolder, node, port, secretFile } from './doctor/machine.ts'
import { storedFiles } from './doctor/objects.ts'
import { bucket, issuers, mail, publicUrl } from './doctor/outside.ts'

const MARKS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' }

/** Checks everything that a service needs; each finding has its fix. */
async function run(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  const findings: Finding[] = []
  for await (const finding of looks()) {
    findings.push(finding)
    if (!values.json) console.log(asCalled(line(finding)))
  }
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length
  if (values.json) console.log(JSON.stringify({ findings, failed: count('fail'), warned: count('warn') }))
  else console.log(`\n${counted(count('fail'), 'fault')}, ${counted(count('warn'), 'warning')}`)
  if (count('fail') > 0) process.exitCode = 1
}

const line = ({ check, state, says, mend }: Finding) =>
  `${MARKS[state]} ${check.padEnd(15)} ${says}${mend ? `\n     ${''.padEnd(15)} → ${mend}` : ''}`

async function* looks(): AsyncGenerator<Finding> {
  yield node()
  let config: Config
  try {
    config = readConfig(process.env)
  } catch (error) {
    yield fail('settings', (error as Error).message, 'docs/operations.md lists every setting')
    return
  }
  yield ok('settings', `understood; role ${config.CAIRN_ROLE}`)
  const folder = await dataFolder(config)
  yield folder
  const disk = await databaseDisk(config)
  if (disk) yield disk
  yield* gridFolder(config)
  const spool = await mkdtemp(join(tmpdir(), 'cairn-doctor-'))
  try {
    const files = await bucket(config, spool)
    if (files) yield files
    const areFilesAway = files?.state === 'fail'
    const found =
      folder.state !== 'fail' || config.CAIRN_DATABASE_URL
        ? await databaseOf(config, areFilesAway ? undefined : spool)
        : []
    const secret = secretFile(config)
    // The file may be private and still hold the wrong secret.
    if (secret.state === 'fail' || found.every(({ check }) => check !== secret.check)) yield secret
    yield* found
  } finally {
    await rm(spool, { recursive: true, force: true })
  }
  yield* issuers(config)
  yield await mail(config)
  yield await publicUrl(config)
  yield await port(config)
}

/** Checks the database and, without S3, a sample of the files that it names. Starts the embedded database if it does not run. */
async function databaseOf(config: Config, spool: string | undefined): Promise<Finding[]> {
  try {
    return await withDatabase(config, async (url) => {
      const found = await collected(database(url, secretOf(config)))
      const isWell = found.every(({ state }) => state !== 'fail')
      if (isWell) found.push(...(await neededGrids(config, url)), await backups(config, url))
      return spool !== undefined && isWell ? [...found, ...(await storedFiles(config, url, spool))] : found
    })
  } catch (error) {
    return [fail('database', (error as Error).message, 'docs/operations.md: The database in the box')]
  }
}

/** A file without a secret is reported by its own check. */
function secretOf({ CAIRN_SECRET, CAIRN_DATA_DIR }: Config): string | undefined {
  try {
    return existingSecret(CAIRN_SECRET, CAIRN_DATA_DIR)
  } catch {
    return undefined
  }
}

export const DOCTOR: Group = {
  title: 'Troubleshooting',
  commands: [
    {
      words: 'doctor',
      usage: '[--json]',
      summary: 'check this installation, and say how to fix what is wrong',
      about:
        'Node, settings, data folder, disk of the database, grids, secret, database (version, connection, extension, rights, clock, migrations, jobs, webhooks),\nfiles on S3, a sample of the stored files, scheduled backups, identity providers, mail server, public address, port. Changes nothing.',
      examples: [['cairn doctor', 'with the settings of the service, before its first start or beside it']],
      exits: [[1, 'at least one check failed; warnings alone are 0']],
      run,
    },
  ],
}

async function collected(found: AsyncIterable<Finding>): Promise<Finding[]> {
  const all: Finding[] = []
  for await (const one of found) all.push(one)
  return all
}
